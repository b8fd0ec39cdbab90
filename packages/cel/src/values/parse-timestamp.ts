import { Timestamp } from './timestamp.ts';

/** Go accepts a single digit for the hour, and a comma for the period. */
const timestampPattern = /^(\d{4})-(\d\d)-(\d\d)T(\d\d?):(\d\d):(\d\d)(?:[.,](\d+))?(Z|[+-]\d\d:\d\d)?$/;

/**
 * Parses a timestamp as Go parses RFC 3339; leap seconds are not allowed.
 *
 * @param zone whether the offset from UTC is required
 * @returns undefined when it is invalid
 */
export function parseTimestamp(
  text: string,
  zone: 'required' | 'optional' = 'required',
): Timestamp | undefined {
  const match = timestampPattern.exec(text);
  if (!match || (zone === 'required' && match[8] === undefined)) return undefined;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const days = daysSinceEpoch(year, month, day);
  const offset = parseOffset(match[8] ?? 'Z');
  if (days === undefined || hour > 23 || minute > 59 || second > 59 || offset === undefined) return undefined;
  const seconds = days * 86_400 + hour * 3600 + (minute - offset) * 60 + second;
  const fraction = BigInt((match[7] ?? '').slice(0, 9).padEnd(9, '0'));
  return new Timestamp(BigInt(seconds) * 1_000_000_000n + fraction, offset);
}

/** Parses a date like `2006-01-02` as the start of that day in UTC; undefined when it is invalid. */
export function parseDate(text: string): Timestamp | undefined {
  const match = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text);
  const days = match ? daysSinceEpoch(Number(match[1]), Number(match[2]), Number(match[3])) : undefined;
  return days === undefined ? undefined : new Timestamp(BigInt(days) * 86_400_000_000_000n);
}

/** Undefined for a day that does not exist. */
function daysSinceEpoch(year: number, month: number, day: number): number | undefined {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  const valid = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return valid ? date.getTime() / 86_400_000 : undefined;
}

function parseOffset(text: string): number | undefined {
  if (text === 'Z') return 0;
  const [hour, minute] = [Number(text.slice(1, 3)), Number(text.slice(4))];
  if (hour > 24 || minute > 60) return undefined;
  return (text[0] === '-' ? -1 : 1) * (hour * 60 + minute);
}
