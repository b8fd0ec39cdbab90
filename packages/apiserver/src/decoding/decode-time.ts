import { GoTimeError, GoTimeReader } from 'ots-apimachinery/go/go-time-reader';
import { DecodeError } from './decode-error.ts';

const layouts = {
  time: '2006-01-02T15:04:05Z07:00',
  microTime: '2006-01-02T15:04:05.000000Z07:00',
};
/** The objects of a cluster have few different times. */
const decoded = { time: new Map<string, string | null>(), microTime: new Map<string, string | null>() };
const capacity = 1000;
/** Year 1, Go's zero time. */
const zeroTime = -62_135_596_800_000;

/**
 * Decodes a time as Go does.
 *
 * @param kind a `time` has whole seconds, a `microTime` exactly six fractional digits
 * @returns the time in UTC; null for the zero time
 * @throws {DecodeError} when the text is not a time
 */
export function decodeTime(text: string, kind: 'time' | 'microTime'): string | null {
  const known = decoded[kind].get(text);
  if (known !== undefined) return known;
  try {
    const time = readTime(new GoTimeReader(text, layouts[kind]), kind);
    if (decoded[kind].size >= capacity) decoded[kind].clear();
    decoded[kind].set(text, time);
    return time;
  } catch (error) {
    throw error instanceof GoTimeError ? new DecodeError(error.message) : error;
  }
}

function readTime(reader: GoTimeReader, kind: 'time' | 'microTime'): string | null {
  const day = reader.readDate();
  const clock = reader.readClock();
  const micros = kind === 'time' ? reader.skipFraction() : reader.readMicros();
  const offset = reader.readZone();
  reader.end();
  const time = reader.dayOf(day) + clock - offset * 1000;
  if (time === zeroTime && !/[1-9]/.test(micros)) return null;
  return `${new Date(time).toISOString().replace(/\.\d+Z$/, '')}${micros}Z`;
}
