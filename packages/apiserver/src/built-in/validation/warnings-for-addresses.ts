import { formatIp, parseIp } from './ip-address.ts';
import { formatIpRange, parseIpRange } from './ip-range.ts';

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

/** Warnings about a range that is valid, but in an unusual notation. */
export function warningsForRange(field: string, text: string): string[] {
  const range = parseIpRange(text);
  if (!range) return [];
  const canonical = formatIpRange(range);
  const address = `${formatIp(range.address)}/${range.length}`;
  const { isMapped, hasLeadingZeros } = range.address;
  const warnings = [
    ...(address === canonical
      ? []
      : [`CIDR value "${text}" is ambiguous in this context (should be "${canonical}" or "${address}"?)`]),
    ...(isMapped || hasLeadingZeros
      ? [`non-standard CIDR value "${text}" is invalid: use "${canonical}"`]
      : []),
  ];
  if (warnings.length === 0 && address !== text)
    warnings.push(`IPv6 CIDR value "${text}" should be in RFC 5952 canonical format ("${address}")`);
  return warnings.map((warning) => `${field}: ${warning}`);
}
