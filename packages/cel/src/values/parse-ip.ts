import { parseIp as parse } from 'ots-apimachinery/ip';
import { goQuote } from 'ots-apimachinery/go/go-quote';
import { CelEvaluationError } from './evaluation-error.ts';
import { Ip } from './ip.ts';

/** The prefix of an IPv4-mapped IPv6 address. */
const mappedPrefix = 0xffffn << 32n;

/**
 * Parses an address. Zones and IPv4-mapped IPv6 addresses are not allowed.
 *
 * @returns an error when it is invalid
 */
export function parseIp(text: string): Ip | CelEvaluationError {
  const ip = parse(text);
  if (ip === 'zone')
    return new CelEvaluationError(`IP address ${goQuote(text)} with zone value is not allowed`);
  if (!ip) {
    return new CelEvaluationError(
      `IP Address ${goQuote(text)} parse error during conversion from string: ParseAddr(${goQuote(text)}): unable to parse IP`,
    );
  }
  return isMapped(ip)
    ? new CelEvaluationError(`IPv4-mapped IPv6 address ${goQuote(text)} is not allowed`)
    : new Ip(ip.family, ip.bits);
}

/** Whether it is an IPv4-mapped IPv6 address, like `::ffff:1.2.3.4`. */
export function isMapped({ family, bits }: Pick<Ip, 'family' | 'bits'>): boolean {
  return family === 6 && bits >> 32n === mappedPrefix >> 32n;
}
