import { listBaseCost, stringFactor } from './cost-factors.ts';
import type { CallCost, CostNode, SizeOf } from './cost-node.ts';
import {
  add,
  type Estimate,
  exactly,
  maxUint64,
  multiply,
  oneEstimate,
  scale,
  unknownEstimate,
} from './estimate.ts';

/**
 * The cost of a call of cel-go's extensions for sets and lists.
 * @param overload the overload that is called
 * @returns undefined when it is of another library
 */
export function extensionCost(
  overload: string,
  target: CostNode | undefined,
  args: readonly CostNode[],
  sizeOf: SizeOf,
): CallCost | undefined {
  const size = (node: CostNode): Estimate => node.size ?? sizeOf(node.path) ?? unknownEstimate;
  switch (overload) {
    case 'list_sets_contains_list':
    case 'list_sets_intersects_list':
      return { cost: add(scale(multiply(size(args[0]!), size(args[1]!)), 1), oneEstimate) };
    case 'list_sets_equivalent_list':
      return { cost: add(scale(multiply(size(args[0]!), size(args[1]!)), 2), oneEstimate) };
    case 'list_slice': {
      const end = constantInt(args[1]!, size(target!).max);
      return listCost(1, exactly(BigInt.asUintN(64, end - constantInt(args[0]!, 0n))));
    }
    case 'lists_range':
      return listCost(1, exactly(constantInt(args[0]!, maxUint64)));
    case 'list_reverse':
    case 'list_flatten':
      return listCost(1, size(target!));
    case 'list_flatten_int':
      return listCost(Number(constantInt(args[0]!, maxUint64)), size(target!));
    case 'list_distinct':
      return listCost(2, multiply(size(target!), size(target!)));
    default:
      return sortCost(overload, target, args, size);
  }
}

/** To sort is to compare every item with every other. */
function sortCost(
  overload: string,
  target: CostNode | undefined,
  args: readonly CostNode[],
  size: (node: CostNode) => Estimate,
): CallCost | undefined {
  const [, type, by] = /^list_(.+)_sort(ByAssociatedKeys)?$/.exec(overload) ?? [];
  if (type === undefined) return undefined;
  const sorted = size(by === undefined ? target! : args[0]!);
  return listCost(type === 'string' || type === 'bytes' ? 2 + stringFactor : 2, multiply(sorted, sorted));
}

function listCost(factor: number, size: Estimate): CallCost {
  return { cost: add(add(scale(size, factor), oneEstimate), exactly(listBaseCost)), size };
}

function constantInt(node: CostNode, otherwise: bigint): bigint {
  const { expr } = node;
  if (expr?.kind !== 'literal' || expr.value.type !== 'int') return otherwise;
  return expr.value.value < 0n ? 0n : expr.value.value;
}
