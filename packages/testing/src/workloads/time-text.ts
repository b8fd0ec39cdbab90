/** A time as the fields of Kubernetes objects have it: RFC 3339 in UTC, in whole seconds. @param epoch in milliseconds since 1970 */
export function timeText(epoch: number): string {
  return `${new Date(epoch).toISOString().slice(0, 19)}Z`;
}

/** A time with microseconds, as leases and the events of the scheduler have it. @param epoch in milliseconds since 1970 */
export function microTimeText(epoch: number): string {
  const micros = String(Math.trunc((epoch % 1) * 1000)).padStart(3, '0');
  return `${new Date(epoch).toISOString().slice(0, 23)}${micros}Z`;
}
