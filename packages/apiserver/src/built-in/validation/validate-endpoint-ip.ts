import { type FieldError, invalid } from '../../status/field-error.ts';
import { type IpAddress, parseIp } from './ip-address.ts';

/** Validates the address of an endpoint, which must not be loopback or link-local. */
export function validateEndpointIp(address: string, field: string): FieldError[] {
  const ip = parseIp(address);
  if (!ip) return [invalid(field, address, 'must be a valid IP address')];
  return specialUses(ip, address).map((message) => invalid(field, address, message));
}

function specialUses({ family, bytes }: IpAddress, address: string): string[] {
  const [first = 0, second = 0, third = 0] = bytes;
  const isIPv4 = family === 'IPv4';
  const isLoopback = isIPv4 ? first === 127 : bytes.at(-1) === 1 && bytes.slice(0, -1).every((b) => b === 0);
  const isLinkLocal = isIPv4 ? first === 169 && second === 254 : first === 0xfe && (second & 0xc0) === 0x80;
  const isLinkLocalMulticast = isIPv4
    ? first === 224 && second === 0 && third === 0
    : first === 0xff && (second & 0x0f) === 2;
  const uses: [boolean, string][] = [
    [bytes.every((byte) => byte === 0), `may not be unspecified (${address})`],
    [isLoopback, 'may not be in the loopback range (127.0.0.0/8, ::1/128)'],
    [isLinkLocal, 'may not be in the link-local range (169.254.0.0/16, fe80::/10)'],
    [isLinkLocalMulticast, 'may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)'],
  ];
  return uses.filter(([isUsed]) => isUsed).map(([, message]) => message);
}
