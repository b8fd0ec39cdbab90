/** The two halves of a number of 64 bits, each without sign. */
export interface Halves {
  high: number;
  low: number;
}

/**
 * The hash FNV-1a of 64 bits, which shard selectors (KEP-5866) compare. In halves: it is computed for every event of a
 * watch, and a bigint would take several times as long.
 * @param text of ASCII, such as a UID or the name of a namespace.
 */
export function fnv64(text: string): Halves {
  let high = 0xcbf29ce4;
  let low = 0x84222325;
  for (let index = 0; index < text.length; index += 1) {
    low = (low ^ text.charCodeAt(index)) >>> 0;
    // The prime is 2^40 + 0x1b3.
    const product = low * 0x1b3;
    high = (Math.imul(high, 0x1b3) + Math.floor(product / 0x100000000) + (low << 8)) >>> 0;
    low = product % 0x100000000;
  }
  return { high, low };
}
