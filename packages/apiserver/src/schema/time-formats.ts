const part = /(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h)/gy;
/** Matches only from the start of a number: otherwise long ones would be tried from each of their digits. */
const words = /(?<!\d)(\d+)\s*([A-Za-zµ]+)/g;
const shortUnits = ['ns', 'us', 'µs', 'ms', 's', 'm', 'h', 'hr', 'd', 'w', 'wk'];
const longUnits = ['nano', 'micro', 'milli', 'sec', 'min', 'hour', 'day', 'week'];
const time = /^(\d{2}):(\d{2}):(\d{2})(.\d+)?(z|[+-]\d{2}:\d{2})$/;

/** A duration as Go parses it, or one in words that contains a number with a unit anywhere: `3 days and a bit`. */
export function isDuration(text: string): boolean {
  const plain = text.replace(/^[-+]/, '');
  if (plain === '0' || (plain !== '' && plain.replaceAll(part, '') === '')) return true;
  return [...text.matchAll(words)].some(([, , word = '']) => {
    const unit = word.toLowerCase();
    return shortUnits.includes(unit) || longUnits.some((long) => unit.startsWith(long));
  });
}

/** `full-date` of RFC 3339. */
export function isFullDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

/** `date-time` of RFC 3339, without leap seconds. */
export function isDateTime(text: string): boolean {
  const [date = '', rest = ''] = text.toLowerCase().split('t');
  const [, hour = '', minute = '', second = ''] = time.exec(rest) ?? [];
  return isFullDate(date) && hour !== '' && hour <= '23' && minute <= '59' && second <= '59';
}
