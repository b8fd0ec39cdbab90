import { type FieldError, invalid } from '../../status/field-error.ts';
import { type IpAddress, parseIp } from './ip-address.ts';
import { formatIpRange, parseIpRange } from './ip-range.ts';

/**
 * Validates a range of addresses, such as `10.0.0.0/24`.
 *
 * @param known ranges from before an update, which stay valid
 */
export function validateCidr(range: string, field: string, known: readonly string[] = []): FieldError[] {
  if (known.includes(range)) return [];
  const [, address = '', length = ''] = /^([^/]*)\/(\d+)$/.exec(range) ?? [];
  const ip = parseIp(address);
  const bits = Number(length);
  if (!ip || length === '' || bits > (address.includes(':') ? 128 : 32))
    return [invalid(field, range, 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)')];
  const message = messageOf(ip, length);
  return message === undefined ? [] : [invalid(field, range, message)];
}

function messageOf(ip: IpAddress, length: string): string | undefined {
  if (ip.hasLeadingZeros || /^0\d/.test(length)) return 'must not have leading 0s in IP or prefix length';
  if (ip.isMapped) return 'must not have an IPv4-mapped IPv6 address';
  const hasBitsBeyond = ip.bytes.some((byte, index) => {
    const masked = Math.min(Math.max(Number(length) - index * 8, 0), 8);
    return (byte & (255 >> masked)) !== 0;
  });
  return hasBitsBeyond ? 'must not have bits set beyond the prefix length' : undefined;
}

/** Validates a range of addresses in canonical form. */
export function validateCanonicalCidr(text: string, field: string): FieldError[] {
  const errors = validateCidr(text, field);
  const range = parseIpRange(text);
  if (errors.length > 0 || !range || formatIpRange(range) === text) return errors;
  return [invalid(field, text, `must be in canonical form ("${formatIpRange(range)}")`)];
}
