import type { CelResult } from '../values/cel-value.ts';
import type { Duration } from '../values/duration.ts';
import { isError } from '../values/evaluation-error.ts';
import type { Timestamp } from '../values/timestamp.ts';
import { overload } from './overload.ts';
import type { FunctionTable, Overload } from './overload.ts';
import { zoneOffset } from './zone-offset.ts';

const dayMilliseconds = 86_400_000;

/** The components of timestamps and durations. */
export const times: FunctionTable = {
  getFullYear: ofTimestamp((date) => date.getUTCFullYear()),
  getMonth: ofTimestamp((date) => date.getUTCMonth()),
  getDate: ofTimestamp((date) => date.getUTCDate()),
  getDayOfMonth: ofTimestamp((date) => date.getUTCDate() - 1),
  getDayOfWeek: ofTimestamp((date) => date.getUTCDay()),
  getDayOfYear: ofTimestamp(dayOfYear),
  getHours: [...ofTimestamp((date) => date.getUTCHours()), ofDuration(3_600_000_000_000n)],
  getMinutes: [...ofTimestamp((date) => date.getUTCMinutes()), ofDuration(60_000_000_000n)],
  getSeconds: [...ofTimestamp((date) => date.getUTCSeconds()), ofDuration(1_000_000_000n)],
  getMilliseconds: [
    ...ofTimestamp((date) => date.getUTCMilliseconds()),
    overload(['duration'], ({ nanoseconds }) => nanoseconds / 1_000_000n),
  ],
};

/** @param read reads a component of a date whose UTC is the requested local time */
function ofTimestamp(read: (date: Date) => number): readonly Overload[] {
  return [
    overload(['timestamp'], (time) => BigInt(read(dateOf(time)))),
    overload(['timestamp', 'string'], (time, zone): CelResult => {
      const offset = zoneOffset(zone, dateOf(time));
      return isError(offset) ? offset : BigInt(read(new Date(dateOf(time).getTime() + offset)));
    }),
  ];
}

function ofDuration(unit: bigint): Overload {
  return overload(['duration'], (duration: Duration) => BigInt(Math.trunc(duration.in(unit))));
}

function dateOf(time: Timestamp): Date {
  return new Date(Number(time.seconds) * 1000 + Number(time.subsecond / 1_000_000n));
}

function dayOfYear(date: Date): number {
  const newYear = new Date(date);
  newYear.setUTCMonth(0, 1);
  return Math.round((date.getTime() - newYear.getTime()) / dayMilliseconds);
}
