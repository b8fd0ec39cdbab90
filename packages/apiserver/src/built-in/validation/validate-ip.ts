import type { NameRule } from 'ots-apimachinery/names';
import type { FieldError } from '../../status/field-error.ts';
import { errorsOfRule } from './errors-of-rule.ts';
import { parseIp } from './ip-address.ts';

/**
 * Checks an address.
 *
 * @param known addresses that were there before: what was good then has to stay good
 */
export function validateIp(address: string, field: string, known: readonly string[] = []): FieldError[] {
  return known.includes(address) ? [] : errorsOfRule(field, address, ipAddress);
}

/** Addresses that every program reads alike. */
export const ipAddress: NameRule = (text) => {
  const ip = parseIp(text);
  if (!ip) return ['must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'];
  if (ip.hasLeadingZeros) return ['must not have leading 0s'];
  return ip.isMapped ? ['must not be an IPv4-mapped IPv6 address'] : [];
};
