import { randomInt, randomUUID } from 'node:crypto';

/** What a server leaves to chance. */
export interface Random {
  /** A UUID of version 4 (RFC 9562). */
  uuid(): string;
  /** An integer from `min` up to `max`, which is excluded. */
  integer(min: number, max: number): number;
}

/** Chance that cannot be predicted, and that is fast: Node creates random UUIDs in advance. */
const cryptographicRandom: Random = { uuid: () => randomUUID(), integer: randomInt };

/**
 * Chance that repeats itself if the source does.
 *
 * @param draw returns the next number in [0, 1). Default: chance that cannot be predicted
 */
export function createRandom(draw?: () => number): Random {
  if (!draw) return cryptographicRandom;
  const integer = (min: number, max: number) => min + Math.floor(draw() * (max - min));
  const digits = (count: number) =>
    integer(0, 16 ** count)
      .toString(16)
      .padStart(count, '0');
  const variant = () => '89ab'[integer(0, 4)];
  return {
    integer,
    uuid: () => `${digits(8)}-${digits(4)}-4${digits(3)}-${variant()}${digits(3)}-${digits(12)}`,
  };
}
