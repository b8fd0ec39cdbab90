import { goQuote } from 'ots-apimachinery/go/go-quote';
import { parseIp } from 'ots-apimachinery/ip';
import { Cidr } from './cidr.ts';
import { CelEvaluationError } from './evaluation-error.ts';
import { Ip } from './ip.ts';
import { isMapped } from './parse-ip.ts';

const prefix = 'network address parse error during conversion from string: ';

/**
 * Parses a network like `10.0.0.0/8`.
 *
 * @returns an error when it is invalid
 */
export function parseCidr(text: string): Cidr | CelEvaluationError {
  const slash = text.lastIndexOf('/');
  const parsed = slash === -1 ? undefined : parseIp(text.slice(0, slash));
  const ip = parsed && parsed !== 'zone' ? new Ip(parsed.family, parsed.bits) : undefined;
  const length = text.slice(slash + 1);
  const isLength = /^(?:0|[1-9]\d{0,2})$/.test(length);
  if (!ip || !isLength || Number(length) > ip.bitLength)
    return new CelEvaluationError(`${prefix}${prefix}netip.ParsePrefix(${goQuote(text)}): no network`);
  if (isMapped(ip))
    return new CelEvaluationError(`${prefix}IPv4-mapped IPv6 address ${goQuote(text)} is not allowed`);
  return new Cidr(ip, Number(length));
}
