import { randomBytes } from 'node:crypto';

/**
 * Returns 16 hexadecimal digits for names that must be unique.
 * @param random a number in [0, 1), for digits that are the same in every run; unpredictable by default.
 */
export function uniqueDigits(random?: () => number): string {
  if (!random) return randomBytes(8).toString('hex');
  return Array.from({ length: 16 }, () => Math.floor(random() * 16).toString(16)).join('');
}
