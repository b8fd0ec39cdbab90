const time = /^(\d{2}):(\d{2}):(\d{2})(.\d+)?(z|[+-]\d{2}:\d{2})$/;

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
