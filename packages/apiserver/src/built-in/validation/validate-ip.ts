import type { NameRule } from 'ots-apimachinery/names';
import type { FieldError } from '../../status/field-error.ts';
import { errorsOfRule } from './errors-of-rule.ts';
import { formatIp, parseIp } from './ip-address.ts';

/**
 * Validates an address.
 *
 * @param known addresses from before an update, which stay valid
 */
export function validateIp(address: string, field: string, known: readonly string[] = []): FieldError[] {
  return known.includes(address) ? [] : errorsOfRule(field, address, ipAddress);
}

/** Addresses that all programs parse the same way. */
const ipAddress: NameRule = (text) => {
  const ip = parseIp(text);
  if (!ip) return ['must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'];
  if (ip.hasLeadingZeros) return ['must not have leading 0s'];
  return ip.isMapped ? ['must not be an IPv4-mapped IPv6 address'] : [];
};

/** Addresses in their canonical form. */
export const canonicalIp: NameRule = (text) => {
  const faults = ipAddress(text);
  const ip = parseIp(text);
  if (faults.length > 0 || !ip || formatIp(ip) === text) return faults;
  return [`must be in canonical form ("${formatIp(ip)}")`];
};
