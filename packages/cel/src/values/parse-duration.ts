import { parseDuration as parse } from 'ots-apimachinery/duration';
import { Duration } from './duration.ts';

/** Parses a duration of Go such as `1h30m` or `-1.5s`; undefined when it is not one or too long. */
export function parseDuration(text: string): Duration | undefined {
  const nanoseconds = parse(text);
  return typeof nanoseconds === 'bigint' ? new Duration(nanoseconds) : undefined;
}
