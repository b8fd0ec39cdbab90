import type { Clock } from 'ots-apimachinery/clock/clock';

/** The last time that a Date can have, in milliseconds since 1970. */
const lastTime = 8.64e15;

/**
 * A time of the clock's `now` as RFC 3339 with milliseconds; undefined if there is no such date: a delay can be endless.
 */
export function timeText(clock: Clock, time: number): string | undefined {
  const epoch = clock.epoch() + time - clock.now();
  return epoch <= lastTime ? new Date(epoch).toISOString() : undefined;
}
