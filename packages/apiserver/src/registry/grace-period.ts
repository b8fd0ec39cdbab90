import type { ObjectMeta } from 'ots-kubernetes';
import { nextGeneration } from './next-generation.ts';
import { periodOf, secondsOf, timestampOf } from './timestamps.ts';

/** What a deletion with a grace period makes of an object's metadata: `pending` when it has begun already and stays as it is. */
export type Grace = { metadata: ObjectMeta; seconds: number } | 'pending' | 'none';

/**
 * Begins the grace period of an object, or shortens one that runs.
 *
 * @param initial how long the object has when its deletion begins now
 * @param asked what the request says; negative for as short as can be
 */
export function graceOf(metadata: ObjectMeta, initial: number, asked: number | undefined, now: Date): Grace {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0, generation = 0 } = metadata;
  if (deletionTimestamp !== undefined) {
    if (deletionGracePeriodSeconds === 0) return 'none';
    return shorten(metadata, { end: deletionTimestamp, running: deletionGracePeriodSeconds }, asked, now);
  }
  return {
    seconds: initial,
    metadata: {
      ...metadata,
      ...(generation > 0 && { generation: nextGeneration(generation) }),
      deletionTimestamp: timestampOf(secondsOf(now) + periodOf(initial)),
      deletionGracePeriodSeconds: initial,
    },
  };
}

function shorten(
  metadata: ObjectMeta,
  { end, running }: { end: string; running: number },
  asked: number | undefined,
  now: Date,
): Grace {
  if (asked === undefined || asked >= running) return 'pending';
  const present = secondsOf(now);
  const shortened = Math.trunc(Date.parse(end) / 1000) - periodOf(running) + periodOf(asked);
  // A period that is over already still leaves somebody the time to see it end, unless none was wanted.
  const isOver = shortened < present;
  const seconds = isOver && asked !== 0 ? 1 : asked;
  const deletionTimestamp = timestampOf(isOver ? present : shortened);
  return { seconds, metadata: { ...metadata, deletionTimestamp, deletionGracePeriodSeconds: seconds } };
}
