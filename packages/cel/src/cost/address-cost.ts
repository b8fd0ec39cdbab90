import { stringFactor } from './cost-factors.ts';
import type { CallCost, CostNode } from './cost-node.ts';
import { add, type Estimate, oneEstimate, scale } from './estimate.ts';

const simpleCalls: ReadonlySet<string> = new Set(
  'masked prefixLength family isUnspecified isLoopback isLinkLocalMulticast isLinkLocalUnicast isGlobalUnicast'.split(
    ' ',
  ),
);

/** The bytes of an address: four for IPv4, sixteen for IPv6. */
const addressEstimate: Estimate = { min: 4n, max: 16n };

/** The cost of a call of the IP address and CIDR libraries; undefined for other functions. */
export function addressCost(
  name: string,
  overload: string,
  args: readonly CostNode[],
  size: (node: CostNode) => Estimate,
): CallCost | undefined {
  if (simpleCalls.has(name)) return { cost: oneEstimate };
  const compared = scale(add(addressEstimate, addressEstimate), stringFactor);
  switch (name) {
    case 'ip':
      return { cost: overload === 'cidr_ip' ? oneEstimate : scale(size(args[0]!), stringFactor) };
    case 'cidr':
    case 'isIP':
    case 'isCIDR':
      return { cost: scale(size(args[0]!), stringFactor) };
    case 'ip.isCanonical':
      return { cost: scale(size(args[0]!), 2 * stringFactor) };
    case 'containsIP':
      return { cost: withParsing(compared, overload === 'cidr_contains_ip_string', args, size) };
    case 'containsCIDR': {
      const masked = add(add(compared, scale(addressEstimate, stringFactor)), oneEstimate);
      return { cost: withParsing(masked, overload === 'cidr_contains_cidr_string', args, size) };
    }
    default:
      return undefined;
  }
}

function withParsing(
  cost: Estimate,
  parsed: boolean,
  args: readonly CostNode[],
  size: (node: CostNode) => Estimate,
): Estimate {
  return parsed ? add(cost, scale(size(args[0]!), stringFactor)) : cost;
}
