import type { ObjectMeta } from 'ots-kubernetes';
import { nextGeneration } from '../metadata/next-generation.ts';
import type { ExactInteger } from '../json/exact-integer.ts';

/**
 * The effect of a deletion with a grace period on an object's metadata; `pending` when the period has begun
 * already and stays.
 */
export type Grace = { metadata: ObjectMeta; seconds: number } | 'pending' | 'none';

/**
 * Begins the grace period of an object, or shortens the current one.
 *
 * @param initial the period if the deletion begins now, in seconds
 * @param asked the period in the request; negative for the shortest
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
  // If the period is already over, clients still get a moment to see the object end, unless the request wanted
  // none.
  const isOver = shortened < present;
  const seconds = isOver && asked !== 0 ? 1 : asked;
  const deletionTimestamp = timestampOf(isOver ? present : shortened);
  return { seconds, metadata: { ...metadata, deletionTimestamp, deletionGracePeriodSeconds: seconds } };
}

/** Whole seconds since 1970. */
function secondsOf(time: Date): number {
  return Math.trunc(time.getTime() / 1000);
}

/** The length of a period in seconds as Go computes it: in nanoseconds, which overflow beyond 64 bits. */
function periodOf(seconds: ExactInteger): number {
  return Number(BigInt.asIntN(64, BigInt(seconds) * 1_000_000_000n)) / 1e9;
}

/** A time as a `Time`: RFC 3339, truncated to whole seconds. */
function timestampOf(seconds: number): string {
  return new Date(Math.floor(seconds) * 1000).toISOString().replace('.000Z', 'Z');
}
