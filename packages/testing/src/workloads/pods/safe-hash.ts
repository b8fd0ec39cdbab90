/** Without vowels and their look-alikes: no hash reads like a word. */
const alphabet = 'bcdfghjklmnpqrstvwxz2456789';
const offset = 0x811c9dc5;
const prime = 0x01000193;

/** The hash in the names and labels of children (FNV-1a with 32 bits, in letters that are safe in names). */
export function safeHash(bytes: Uint8Array): string {
  let hash = offset;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, prime);
  return safeDigits(hash);
}

/** The hash in the names and labels of revisions: as {@link safeHash}, but of FNV-1. */
export function safeRevisionHash(bytes: Uint8Array): string {
  let hash = offset;
  for (const byte of bytes) hash = Math.imul(hash, prime) ^ byte;
  return safeDigits(hash);
}

function safeDigits(hash: number): string {
  return Array.from(String(hash >>> 0), (digit) => alphabet[digit.charCodeAt(0) % alphabet.length]).join('');
}
