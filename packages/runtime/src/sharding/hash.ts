/**
 * A hash of 32 bits: FNV-1a, and the finalizer of MurmurHash3. Without the second, names that differ only at their end
 * would have almost equal hashes. Changing it changes which member owns a key; see `shardScheme`.
 */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return mixed(hash);
}

/** Spreads every bit of a 32 bit number over all of them. */
export function mixed(value: number): number {
  let mix = value;
  mix = Math.imul(mix ^ (mix >>> 16), 0x85ebca6b);
  mix = Math.imul(mix ^ (mix >>> 13), 0xc2b2ae35);
  return (mix ^ (mix >>> 16)) >>> 0;
}
