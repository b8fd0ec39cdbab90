/** A time as the fields of Kubernetes objects have it: RFC 3339 in UTC, in whole seconds. @param epoch in milliseconds since 1970 */
export function timeText(epoch: number): string {
  return `${new Date(epoch).toISOString().slice(0, 19)}Z`;
}
