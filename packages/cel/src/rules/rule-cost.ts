import type { Unbounded } from '../cost/schema-size.ts';
import { unescapeProperty } from '../escape-property.ts';
import { maxOccurrencesOf } from '../schema/request-limits.ts';
import type { SchemaType } from '../schema/schema-type.ts';
import { maxUint64 } from '../cost/estimate.ts';
import { missingBound, type RuleNode } from './rule-node.ts';

/** What an expression of a rule costs at most. */
export interface RuleCost {
  /** The keys from the root of the schema to the node with the rule. */
  readonly path: readonly string[];
  readonly index: number;
  readonly argument: 'rule' | 'messageExpression';
  /** The cost for one value, in CEL's units. */
  readonly cost: bigint;
  /** What counts: a rule as often as its value can occur in one object, a message once. */
  readonly total: bigint;
  /** The lists, maps and strings without a bound that make it expensive, as `spec.items[].name` with the keyword that is missing. */
  readonly unbounded: readonly Unbounded[];
}

/** How much a rule costs for all values of its node that an object can hold. */
export function costOfAll(cost: bigint, node: RuleNode, type: SchemaType): bigint {
  const total = cost * (node.cardinality ?? maxOccurrencesOf(type.minSize));
  return total > maxUint64 ? maxUint64 : total;
}

/** The lists and maps around a node that have no bound. */
export function unboundedAround(node: RuleNode): Unbounded[] {
  const found: Unbounded[] = [];
  for (let above = node.parent; above; above = above.parent) {
    const keyword = missingBound(above.schema);
    if (keyword) found.unshift({ path: writtenPath(above.path), keyword });
  }
  return found;
}

/** What is relative to `self`, from the root of the schema. */
export function fromRoot(unbounded: readonly Unbounded[], node: RuleNode): Unbounded[] {
  const root = writtenPath(node.path);
  return unbounded.map(({ path, keyword }) => {
    const names = path.slice('self'.length).replaceAll(/\w+/g, (name) => unescapeProperty(name) ?? name);
    return { path: (root + names).replace(/^\./, '') || 'the value', keyword };
  });
}

/** `['properties', 'spec', 'items']` as `spec[]`. */
function writtenPath(keys: readonly string[]): string {
  let written = '';
  for (let i = 0; i < keys.length; i++) {
    if (keys[i] === 'properties') written += written === '' ? keys[++i]! : `.${keys[++i]!}`;
    else written += '[]';
  }
  return written;
}
