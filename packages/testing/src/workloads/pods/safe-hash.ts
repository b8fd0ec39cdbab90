/** Without vowels and their look-alikes: no hash reads like a word. */
const alphabet = 'bcdfghjklmnpqrstvwxz2456789';

/** The hash in the names and labels of children (FNV-1a with 32 bits, in letters that are safe in names). */
export function safeHash(bytes: Uint8Array): string {
  let hash = 0x811c9dc5;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193);
  return Array.from(String(hash >>> 0), (digit) => alphabet[digit.charCodeAt(0) % alphabet.length]).join('');
}
