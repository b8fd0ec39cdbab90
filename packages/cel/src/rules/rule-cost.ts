import type { Unbounded } from '../cost/schema-size.ts';
import { unescapeProperty } from '../escape-property.ts';
import { maxOccurrencesOf } from '../schema/request-limits.ts';
import type { SchemaType } from '../schema/schema-type.ts';
import { maxUint64 } from '../cost/estimate.ts';
import { missingBound, type RuleNode } from './rule-node.ts';

/** The maximum cost of an expression in a rule. */
export interface RuleCost {
  /** The keys from the root of the schema to the node with the rule. */
  readonly path: readonly string[];
  readonly index: number;
  readonly argument: 'rule' | 'messageExpression';
  /** The cost for one value, in CEL's units. */
  readonly cost: bigint;
  /** The cost that counts: a rule's multiplied by how often its value can occur in one object, a message's once. */
  readonly total: bigint;
  /** The unbounded lists, maps and strings that make it expensive, as `spec.items[].name` with the missing keyword. */
  readonly unbounded: readonly Unbounded[];
}

/** The cost of a rule for all values of its node that an object can contain. */
export function costOfAll(cost: bigint, node: RuleNode, type: SchemaType): bigint {
  const total = cost * (node.cardinality ?? maxOccurrencesOf(type.minSize));
  return total > maxUint64 ? maxUint64 : total;
}

/** The unbounded lists and maps that contain a node. */
export function unboundedAround(node: RuleNode): Unbounded[] {
  const found: Unbounded[] = [];
  for (let above = node.parent; above; above = above.parent) {
    const keyword = missingBound(above.schema);
    if (keyword) found.unshift({ path: writtenPath(above.path), keyword });
  }
  return found;
}

/** Converts a path relative to `self` to one from the root of the schema. */
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
