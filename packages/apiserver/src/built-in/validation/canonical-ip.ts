import type { NameRule } from 'ots-apimachinery/names';
import { formatIp, parseIp } from './ip-address.ts';
import { ipAddress } from './validate-ip.ts';

/** Addresses in their canonical form. */
export const canonicalIp: NameRule = (text) => {
  const faults = ipAddress(text);
  const ip = parseIp(text);
  if (faults.length > 0 || !ip || formatIp(ip) === text) return faults;
  return [`must be in canonical form ("${formatIp(ip)}")`];
};
