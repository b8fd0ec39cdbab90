import type { CelValue } from '../values/cel-value.ts';
import type { Cidr } from '../values/cidr.ts';
import { isError, noSuchOverload } from '../values/evaluation-error.ts';
import type { Ip } from '../values/ip.ts';
import { parseCidr } from '../values/parse-cidr.ts';
import { parseIp } from '../values/parse-ip.ts';
import { readingCost, readsFirst, rewritesFirst, sizeOf } from './costs.ts';
import { overload } from './overload.ts';
import type { CallCost, FunctionTable, Overload } from './overload.ts';

const containsIpCost: CallCost = ([cidr, ip]) => readingCost(sizeOf(cidr!), 2) + textCost(ip!);
const containsCidrCost: CallCost = ([cidr, other]) =>
  readingCost(sizeOf(cidr!), 2) + readingCost(sizeOf(cidr!)) + 1 + textCost(other!);

/** The functions on addresses and networks. */
export const networks: FunctionTable = {
  ip: [overload(['string'], parseIp, readsFirst), overload(['cidr'], ({ ip }) => ip)],
  isIP: [overload(['string'], (text) => !isError(parseIp(text)), readsFirst)],
  'ip.isCanonical': [
    overload(
      ['string'],
      (text) => {
        const ip = parseIp(text);
        return isError(ip) ? ip : ip.toString() === text;
      },
      rewritesFirst,
    ),
  ],
  family: ofIp(({ family }) => BigInt(family)),
  isUnspecified: ofIp((ip) => ip.isUnspecified),
  isLoopback: ofIp((ip) => ip.isLoopback),
  isLinkLocalMulticast: ofIp((ip) => ip.isLinkLocalMulticast),
  isLinkLocalUnicast: ofIp((ip) => ip.isLinkLocalUnicast),
  isGlobalUnicast: ofIp((ip) => ip.isGlobalUnicast),
  cidr: [overload(['string'], parseCidr, readsFirst)],
  isCIDR: [overload(['string'], (text) => !isError(parseCidr(text)), readsFirst)],
  containsIP: [
    overload(['cidr', 'ip'], (cidr, ip) => cidr.containsIp(ip), containsIpCost),
    overload(
      ['cidr', 'string'],
      (cidr, text) => {
        const ip = parseIp(text);
        return isError(ip) ? noSuchOverload() : cidr.containsIp(ip);
      },
      containsIpCost,
    ),
  ],
  containsCIDR: [
    overload(['cidr', 'cidr'], (cidr, other) => cidr.containsCidr(other), containsCidrCost),
    overload(
      ['cidr', 'string'],
      (cidr, text) => {
        const other = parseCidr(text);
        return isError(other) ? other : cidr.containsCidr(other);
      },
      containsCidrCost,
    ),
  ],
  prefixLength: [overload(['cidr'], ({ prefixLength }: Cidr) => BigInt(prefixLength))],
  masked: [overload(['cidr'], (cidr) => cidr.masked())],
};

function ofIp(read: (ip: Ip) => CelValue): readonly Overload[] {
  return [overload(['ip'], read)];
}

function textCost(value: CelValue): number {
  return typeof value === 'string' ? readsFirst([value], null) : 0;
}
