import { regexFactor, stringFactor } from './cost-factors.ts';
import { addressCost } from './address-cost.ts';
import type { CallCost, CostNode, SizeOf } from './cost-node.ts';
import { add, type Estimate, multiply, oneEstimate, scale, unknownEstimate } from './estimate.ts';
import { replaceSize } from './replace-size.ts';

/** The longest regular expression behind a named format, and the longest name of one. */
const maxFormatRegex = 128;
const maxFormat = 64n;

const simpleCalls: ReadonlySet<string> = new Set(
  (
    'format.named sign asInteger isInteger asApproximateFloat isGreaterThan isLessThan compareTo add sub major minor patch ' +
    'getScheme getHostname getHost getPort getEscapedPath getQuery'
  ).split(' '),
);

/**
 * The cost of a call by the rules of Kubernetes (`k8s.io/apiserver/pkg/cel/library/cost.go`), which go by function
 * name, not overload: methods of the same name in other libraries have the same cost.
 *
 * @returns undefined when Kubernetes has no rule for it
 */
export function kubernetesCost(
  name: string,
  overload: string,
  target: CostNode | undefined,
  args: readonly CostNode[],
  sizeOf: SizeOf,
): CallCost | undefined {
  const size = (node: CostNode): Estimate => node.size ?? sizeOf(node.path) ?? unknownEstimate;
  if (simpleCalls.has(name)) return { cost: oneEstimate };
  switch (name) {
    case 'isSorted':
    case 'sum':
    case 'max':
    case 'min':
    case 'indexOf':
    case 'lastIndexOf':
      return target && { cost: comparisonCost(target, size) };
    case 'url':
      return { cost: scale(size(args[0]!), stringFactor), size: size(args[0]!) };
    case 'lowerAscii':
    case 'upperAscii':
    case 'substring':
    case 'trim':
      return target && { cost: scale(size(target), stringFactor), size: size(target) };
    case 'replace':
      return {
        cost: scale(size(target!), 2 * stringFactor),
        size: replaceSize(size(target!), size(args[0]!), size(args[1]!)),
      };
    case 'split':
      return {
        cost: scale(size(target!), 2 * stringFactor),
        size: { min: 0n, max: splitLimit(args[1]) ?? size(target!).max },
      };
    case 'join':
      return joinCost(target!, args, size);
    case 'find':
    case 'findAll':
      return { cost: regexCost(size(target!), size(args[0]!)), size: { min: 0n, max: size(target!).max } };
    case 'quantity':
    case 'isQuantity':
    case 'semver':
    case 'isSemver':
      return { cost: scale(size(args[0]!), stringFactor) };
    case 'validate':
      return { cost: scale(scale(size(args[0]!), stringFactor), maxFormatRegex * regexFactor) };
    case '_==_':
      return equalityCost(args[0]!, args[1]!);
    default:
      return addressCost(name, overload, args, size);
  }
}

/**
 * The cost of a comparison: one per list item, plus the cost of reading items that are strings or bytes; for
 * strings the cost of reading them.
 */
function comparisonCost(target: CostNode, size: (node: CostNode) => Estimate): Estimate {
  const item = itemOf(target);
  if (!item) return scale(size(target), stringFactor);
  const long = item.type.kind === 'string' || item.type.kind === 'bytes';
  return multiply(size(target), long ? add(oneEstimate, scale(size(item), stringFactor)) : oneEstimate);
}

function itemOf(list: CostNode): CostNode | undefined {
  const type = list.type.params[0];
  if (!type) return undefined;
  const path = list.path.isNone ? list.path : list.path.copy().append('@items');
  return { expr: undefined, type, path, size: undefined };
}

function splitLimit(limit: CostNode | undefined): bigint | undefined {
  if (limit?.expr?.kind !== 'literal' || limit.expr.value.type !== 'int') return undefined;
  return BigInt.asUintN(64, limit.expr.value.value);
}

function joinCost(target: CostNode, args: readonly CostNode[], size: (node: CostNode) => Estimate): CallCost {
  const count = size(target);
  const item = itemOf(target);
  let length = item ? multiply(count, size(item)) : { min: 0n, max: 0n };
  if (args.length > 0) {
    const separators = { min: oneLess(count.min), max: oneLess(count.max) };
    length = add(length, multiply(size(args[0]!), separators));
  }
  return { cost: scale(length, stringFactor), size: length };
}

function oneLess(count: bigint): bigint {
  return count > 0n ? count - 1n : 0n;
}

/** A regular expression has a cost even for an empty string. */
export function regexCost(text: Estimate, pattern: Estimate): Estimate {
  return multiply(scale(add(text, oneEstimate), stringFactor), scale(pattern, regexFactor));
}

/** For types of Kubernetes; other types have no special rule. */
function equalityCost(left: CostNode, right: CostNode): CallCost | undefined {
  const { kind, name } = left.type;
  if (right.type.kind !== kind || right.type.name !== name) return undefined;
  switch (name) {
    case 'net.IP':
    case 'net.CIDR':
    case 'kubernetes.Quantity':
    case 'kubernetes.Semver':
      return { cost: oneEstimate };
    case 'kubernetes.NamedFormat':
      return { cost: scale({ min: 1n, max: maxFormat }, stringFactor) };
    case 'kubernetes.URL':
      return { cost: scale({ min: 1n, max: right.size?.max ?? 1n }, stringFactor) };
    default:
      return undefined;
  }
}
