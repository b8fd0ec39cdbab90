import type { Clock } from 'ots-apimachinery/clock/clock';
import { sleep } from 'ots-apimachinery/clock/sleep';
import type { TortureRun } from './torture-run.ts';

/** How often to look whether a deleted object is gone, in virtual milliseconds. */
const pollMs = 100;

/** Waits until the object of a run is gone. */
export async function untilGone(
  { client, parent, key }: Pick<TortureRun, 'client' | 'parent' | 'key'>,
  clock: Clock,
): Promise<void> {
  while (await client.get(parent, key)) await sleep(clock, pollMs);
}
