/** A time of day as Leases have it: RFC 3339 in UTC with six digits of fraction (metav1.MicroTime). */
export function microTime(epoch: number): string {
  return new Date(epoch).toISOString().replace('Z', '000Z');
}
