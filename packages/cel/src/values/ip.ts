import type { CelValue } from './cel-value.ts';
import { noSuchOverload } from './evaluation-error.ts';
import type { CelEvaluationError } from './evaluation-error.ts';

/** An IPv4 or IPv6 address. */
export class Ip {
  readonly typeName = 'net.IP';
  readonly family: 4 | 6;
  /** The address as a number of 32 or 128 bits. */
  readonly bits: bigint;

  constructor(family: 4 | 6, bits: bigint) {
    this.family = family;
    this.bits = bits;
  }

  get bitLength(): number {
    return this.family === 4 ? 32 : 128;
  }

  /** The size in bytes, which determines the cost of operations. */
  get size(): number {
    return this.bitLength / 8;
  }

  get isUnspecified(): boolean {
    return this.bits === 0n;
  }

  get isLoopback(): boolean {
    return this.family === 4 ? this.#startsWith(0x7fn, 8) : this.bits === 1n;
  }

  get isLinkLocalMulticast(): boolean {
    return this.family === 4 ? this.#startsWith(0xe00000n, 24) : ((this.bits >> 112n) & 0xff0fn) === 0xff02n;
  }

  get isLinkLocalUnicast(): boolean {
    return this.family === 4 ? this.#startsWith(0xa9fen, 16) : this.#startsWith(0x3fan, 10);
  }

  get isGlobalUnicast(): boolean {
    const isMulticast = this.family === 4 ? this.#startsWith(0xen, 4) : this.#startsWith(0xffn, 8);
    const isBroadcast = this.family === 4 && this.bits === 0xff_ff_ff_ffn;
    return (
      !this.isUnspecified && !this.isLoopback && !isMulticast && !isBroadcast && !this.isLinkLocalUnicast
    );
  }

  equals(other: CelValue): boolean | CelEvaluationError {
    if (!(other instanceof Ip)) return noSuchOverload();
    return other.family === this.family && other.bits === this.bits;
  }

  /** In its shortest form. */
  toString(): string {
    return this.family === 4 ? this.#groups(8).join('.') : shortened(this.#groups(16));
  }

  #startsWith(prefix: bigint, length: number): boolean {
    return this.bits >> BigInt(this.bitLength - length) === prefix;
  }

  #groups(width: number): number[] {
    const mask = (1n << BigInt(width)) - 1n;
    return Array.from({ length: this.bitLength / width }, (_, i) =>
      Number((this.bits >> BigInt(this.bitLength - width * (i + 1))) & mask),
    );
  }
}

/** `::` replaces the first of the longest runs of two or more zeros. */
function shortened(groups: readonly number[]): string {
  let [start, length] = [0, 1];
  for (let i = 0, run = 0; i < groups.length; i++) {
    run = groups[i] === 0 ? run + 1 : 0;
    if (run > length) [start, length] = [i - run + 1, run];
  }
  const hex = groups.map((group) => group.toString(16));
  if (length === 1) return hex.join(':');
  return `${hex.slice(0, start).join(':')}::${hex.slice(start + length).join(':')}`;
}
