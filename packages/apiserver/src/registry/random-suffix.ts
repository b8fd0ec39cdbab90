import type { Random } from '../random/random.ts';

/** Without vowels and digits that look like them. */
const alphabet = 'bcdfghjklmnpqrstvwxz2456789';

/** Five random characters, as at the end of a generated name. */
export function randomSuffix(random: Random): string {
  let suffix = '';
  for (let length = 0; length < 5; length += 1) suffix += alphabet[random.integer(0, alphabet.length)];
  return suffix;
}
