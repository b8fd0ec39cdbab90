import { randomInt } from 'node:crypto';

/** Without vowels and digits that look like them. */
const alphabet = 'bcdfghjklmnpqrstvwxz2456789';

/** Five random characters, as at the end of a generated name. */
export function randomSuffix(): string {
  let suffix = '';
  for (let length = 0; length < 5; length += 1) suffix += alphabet[randomInt(alphabet.length)];
  return suffix;
}
