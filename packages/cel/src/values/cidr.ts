import type { CelValue } from './cel-value.ts';
import { noSuchOverload } from './evaluation-error.ts';
import type { CelEvaluationError } from './evaluation-error.ts';
import { Ip } from './ip.ts';

/** A network: an address and a prefix length. */
export class Cidr {
  readonly typeName = 'net.CIDR';
  readonly ip: Ip;
  readonly prefixLength: number;

  constructor(ip: Ip, prefixLength: number) {
    this.ip = ip;
    this.prefixLength = prefixLength;
  }

  /** The bytes of the prefix, which determine the cost of operations. */
  get size(): number {
    return Math.ceil(this.prefixLength / 8);
  }

  /** The network with all other bits zero. */
  masked(): Cidr {
    const rest = BigInt(this.ip.bitLength - this.prefixLength);
    return new Cidr(new Ip(this.ip.family, (this.ip.bits >> rest) << rest), this.prefixLength);
  }

  containsIp(ip: Ip): boolean {
    const rest = BigInt(this.ip.bitLength - this.prefixLength);
    return ip.family === this.ip.family && ip.bits >> rest === this.ip.bits >> rest;
  }

  containsCidr(other: Cidr): boolean {
    return this.prefixLength <= other.prefixLength && this.containsIp(other.ip);
  }

  equals(other: CelValue): boolean | CelEvaluationError {
    if (!(other instanceof Cidr)) return noSuchOverload();
    return other.prefixLength === this.prefixLength && this.ip.equals(other.ip);
  }

  toString(): string {
    return `${this.ip.toString()}/${this.prefixLength}`;
  }
}
