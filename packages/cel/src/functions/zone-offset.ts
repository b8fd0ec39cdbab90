import { goQuote } from 'ots-apimachinery/go/go-quote';
import { CelEvaluationError } from '../values/evaluation-error.ts';

const maxCached = 100;
const formats = new Map<string, Intl.DateTimeFormat>();

/**
 * The offset of a time zone from UTC.
 *
 * @param zone a name like `Europe/Berlin`, or an offset like `+01:00`
 * @param date the time, for daylight saving
 * @returns milliseconds; an error when the zone does not exist
 */
export function zoneOffset(zone: string, date: Date): number | CelEvaluationError {
  if (zone.includes(':')) return parseOffset(zone);
  if (zone === '' || zone === 'UTC') return 0;
  if (zone === 'Local') return -date.getTimezoneOffset() * 60_000;
  const format = zoneFormat(zone);
  if (!format) return new CelEvaluationError(`unknown time zone ${zone}`);
  const parts = new Map(format.formatToParts(date).map(({ type, value }) => [type, Number(value)]));
  const local = new Date(0);
  local.setUTCFullYear(parts.get('year')!, parts.get('month')! - 1, parts.get('day'));
  local.setUTCHours(parts.get('hour')!, parts.get('minute'), parts.get('second'));
  return local.getTime() - Math.floor(date.getTime() / 1000) * 1000;
}

/** Hours and minutes are integers of any size, and only the sign of the hours counts. */
function parseOffset(zone: string): number | CelEvaluationError {
  const colon = zone.indexOf(':');
  const [hours, minutes] = [zone.slice(0, colon), zone.slice(colon + 1)];
  const wrong = [hours, minutes].find((part) => !/^[-+]?\d{1,10}$/.test(part));
  if (wrong !== undefined)
    return new CelEvaluationError(`strconv.Atoi: parsing ${goQuote(wrong)}: invalid syntax`);
  const total = Number(hours) * 60 + (zone.startsWith('-') ? -1 : 1) * Number(minutes);
  return total * 60_000;
}

function zoneFormat(zone: string): Intl.DateTimeFormat | undefined {
  const known = formats.get(zone);
  if (known) return known;
  try {
    const format = new Intl.DateTimeFormat('en-US-u-ca-iso8601', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    if (formats.size >= maxCached) formats.clear();
    formats.set(zone, format);
    return format;
  } catch {
    return undefined;
  }
}
