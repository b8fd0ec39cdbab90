import { parseDuration } from 'ots-apimachinery/duration';
import type { CommonOptions } from '../../common-options.ts';
import { OtsError } from '../../errors/ots-error.ts';
import { quoted } from '../../project/names/quoted.ts';

/** The flags of `ots torture`. */
export interface TortureCommandOptions extends CommonOptions {
  /** Files or kinds. */
  sample?: readonly string[];
  budget: string;
  full?: boolean;
  seed?: string;
  replay?: string;
  writeTest?: string;
  junit?: string;
  html?: string;
}

/**
 * How long the search may take, in milliseconds; undefined for all plans.
 *
 * @throws OtsError `INVALID_DURATION`
 */
export function budgetOf({ budget, full, replay }: TortureCommandOptions): number | undefined {
  if (full || replay !== undefined) return undefined;
  const duration = parseDuration(budget);
  if (typeof duration === 'bigint' && duration > 0n) return Number(duration) / 1e6;
  throw new OtsError('INVALID_DURATION', `--budget ${quoted(budget)} is not a duration`, {
    hint: 'Write it like 30s, 5m or 1h30m.',
  });
}

/**
 * The seed of the flag `--seed`; undefined without it.
 *
 * @throws OtsError `INVALID_SEED`
 */
export function seedOf({ seed }: TortureCommandOptions): number | undefined {
  if (seed === undefined) return undefined;
  const number = /^\d+$/.test(seed) ? Number(seed) : NaN;
  if (Number.isSafeInteger(number)) return number;
  throw new OtsError('INVALID_SEED', `--seed ${quoted(seed)} is not a seed`, {
    hint: 'Use a whole number that is not negative, such as 1.',
  });
}
