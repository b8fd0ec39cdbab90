import { formatIp, parseIp } from './ip-address.ts';

/** Warnings about an address that is valid, but in an unusual notation. */
export function warningsForIp(field: string, address: string): string[] {
  const ip = parseIp(address);
  if (!ip) return [];
  const canonical = formatIp(ip);
  if (ip.hasLeadingZeros || ip.isMapped)
    return [`${field}: non-standard IP address "${address}" is invalid: use "${canonical}"`];
  if (canonical === address) return [];
  return [`${field}: IPv6 address "${address}" should be in RFC 5952 canonical format ("${canonical}")`];
}
