import type { BoundKeyword, SchemaType } from '../schema/schema-type.ts';
import type { SizeOf } from './cost-node.ts';

/** A list, map or string that a rule reads and whose schema has no bound. */
export interface Unbounded {
  /** In the notation of a rule: `self.items[].name`. */
  readonly path: string;
  readonly keyword: BoundKeyword;
}

/**
 * Looks up sizes in the schema that a rule belongs to.
 *
 * @param root the node with the rule
 * @param unbounded receives values without a bound
 */
export function schemaSize(root: SchemaType, unbounded: Map<string, Unbounded>): SizeOf {
  return (path) => {
    if (path.isNone) return undefined;
    const [variable, ...names] = path.names;
    let node: SchemaType | undefined = root;
    for (const name of names) node = node && step(node, name);
    if (!node) return undefined;
    if (node.unbounded && (variable === 'self' || variable === 'oldSelf')) {
      const written = ['self', ...names].map(asWritten).join('');
      unbounded.set(written, { path: written, keyword: node.unbounded });
    }
    return { min: 0n, max: node.maxElements };
  };
}

function step(node: SchemaType, name: string): SchemaType | undefined {
  if (name === '@items' || name === '@values') return node.elements;
  return name === '@keys' ? node.keys : node.fields?.get(name);
}

function asWritten(name: string, index: number): string {
  if (index === 0) return name;
  return name === '@items' || name === '@values' ? '[]' : `.${name}`;
}
