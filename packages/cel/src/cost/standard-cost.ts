import { stringFactor } from './cost-factors.ts';
import type { CallCost, CostNode } from './cost-node.ts';
import { add, type Estimate, multiply, oneEstimate, scale, union, unknownEstimate } from './estimate.ts';
import { regexCost } from './kubernetes-cost.ts';

/** Comparisons that cel-go charges for the whole value; also equality, which costs 1 for values of fixed size. */
const comparisons = /^(?:(?:less|greater)(?:_equals)?_(?:string|bytes)|equals|not_equals)$/;

/**
 * The cost of a call of the standard library including its arguments, as cel-go estimates it.
 *
 * @param argCosts the costs of its arguments
 */
export function standardCost(
  overload: string,
  target: CostNode | undefined,
  args: readonly CostNode[],
  argCosts: readonly Estimate[],
): CallCost {
  if (overload === 'logical_or' || overload === 'logical_and')
    return { cost: shortCircuit(argCosts[0]!, argCosts[1]!) };
  if (overload === 'conditional') {
    return {
      cost: add(argCosts[0]!, union(argCosts[1]!, argCosts[2]!)),
      size: union(size(args[1]), size(args[2])),
    };
  }
  const call = callCost(overload, target, args);
  return { ...call, cost: argCosts.reduce(add, call.cost) };
}

/** The right side may not be evaluated. */
function shortCircuit(left: Estimate, right: Estimate): Estimate {
  return { min: left.min, max: add(left, right).max };
}

function callCost(overload: string, target: CostNode | undefined, args: readonly CostNode[]): CallCost {
  const read = (node: CostNode | undefined): Estimate => scale(size(node), stringFactor);
  if (comparisons.test(overload)) return { cost: comparison(size(args[0]), size(args[1])) };
  switch (overload) {
    case 'string_format':
      return { cost: read(target) };
    case 'string_to_bytes':
      return { cost: read(args[0]), size: { min: size(args[0]).min, max: wrap(size(args[0]).max * 4n) } };
    case 'bytes_to_string':
      return { cost: read(args[0]), size: { min: size(args[0]).min / 4n, max: size(args[0]).max } };
    case 'strings_quote':
      return {
        cost: read(args[0]),
        size: { min: wrap(size(args[0]).min + 2n), max: wrap(size(args[0]).max * 2n + 2n) },
      };
    case 'starts_with_string':
    case 'ends_with_string':
      return { cost: read(args[0]) };
    case 'in_list':
      return { cost: scale(size(args[1]), 1) };
    case 'matches_string':
      return { cost: regexCost(size(target), size(args[0])) };
    case 'contains_string':
      return { cost: multiply(read(target), read(args[0])) };
    case 'add_list':
      return { cost: oneEstimate, size: add(size(args[0]), size(args[1])) };
    case 'add_string':
    case 'add_bytes': {
      const sum = add(size(args[0]), size(args[1]));
      return { cost: scale(sum, stringFactor), size: sum };
    }
    default:
      return { cost: oneEstimate };
  }
}

function comparison(left: Estimate, right: Estimate): Estimate {
  const max = left.max < right.max ? left.max : right.max;
  return scale({ min: max > 0n ? 1n : 0n, max }, stringFactor);
}

/** Here cel-go overflows at 64 bits. */
function wrap(value: bigint): bigint {
  return BigInt.asUintN(64, value);
}

function size(node: CostNode | undefined): Estimate {
  return node?.size ?? unknownEstimate;
}
