/**
 * Says what a difference means.
 *
 * @param detail such as `secrets default/tls: nothing instead of {…}`
 * @returns such as `secrets default/tls is missing`
 */
export function consequenceOf(detail: string): string {
  const {
    what = '',
    actual = '',
    expected = '',
  } = /^(?<what>[^:]+(?:: [^:\s]+)?): (?<actual>\S.*?) instead of (?<expected>.*)$/s.exec(detail)?.groups ??
  {};
  if (what === '') return detail;
  const isObject =
    expected.startsWith('{') ||
    actual.startsWith('{') ||
    expected === '"is there"' ||
    actual === '"is there"';
  if (actual === 'nothing' && isObject) return `${what} is missing`;
  if (expected === 'nothing' && isObject) return `${what} is there and should not be`;
  if (actual === 'nothing') return `${what} is missing, and should be ${expected}`;
  return expected === 'nothing'
    ? `${what} is ${actual} and should not be there`
    : `${what} is ${actual} and should be ${expected}`;
}
