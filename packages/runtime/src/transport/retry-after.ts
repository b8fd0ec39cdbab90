/**
 * How long a `Retry-After` header asks to wait, in milliseconds: it holds seconds or an HTTP date (RFC 9110, 10.2.3).
 * @param epoch the time of day, in milliseconds since 1970.
 * @returns undefined when there is no header, or none that can be understood.
 */
export function parseRetryAfter(header: string | undefined, epoch: number): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  // Date.parse understands much that is no HTTP date, such as "-1": those have the name of a month in them.
  const date = /[A-Za-z]{3}/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - epoch);
}
