import { createHash } from 'node:crypto';
import { describeWrite } from '../../convergence/observed-write.ts';
import type { TracedWrite } from '../../simulation/trace.ts';

/** Two runs of the same plan with the same seed wrote different things, so no plan would say anything about the operator. */
export class DifferentTracesError extends Error {
  override readonly name = 'DifferentTracesError';
}

/**
 * Compares what two runs wrote.
 *
 * @returns the first write that differs, in words; undefined if none does
 */
export function firstDifference(
  one: readonly TracedWrite[],
  other: readonly TracedWrite[],
): string | undefined {
  for (let at = 0; at < Math.max(one.length, other.length); at += 1) {
    const [a, b] = [describe(one[at]), describe(other[at])];
    if (a !== b) return `write ${at + 1} of the cluster: ${a} in one run, ${b} in the other`;
  }
  return undefined;
}

/** What a run wrote, in a few characters: equal for equal runs. */
export function fingerprintOf(trace: readonly TracedWrite[]): string {
  return createHash('sha256').update(trace.map(describe).join('\n')).digest('hex').slice(0, 16);
}

function describe(write: TracedWrite | undefined): string {
  if (!write) return 'nothing';
  const { user, resourceVersion, time } = write;
  return `${describeWrite(write)} by ${user} at ${new Date(time).toISOString()} (version ${resourceVersion || 'none'})`;
}
