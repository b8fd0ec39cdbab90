import type { Kind, KubernetesObject } from 'ots-kubernetes';
import { isObject, own } from './merge-patch.ts';
import { isMetadataKind } from './metadata-of.ts';
import { isProjectedKind } from './projection-of.ts';

/** Fields by name, with the selected fields inside, or undefined for the whole field. */
type FieldTree = Map<string, FieldTree | undefined>;

/**
 * Reduces an object to the fields of the projection without changing it; the result shares the kept fields with it.
 * Returns the object itself for a whole kind.
 */
export type Projector = <T extends KubernetesObject>(object: T) => T;

/** Creates the projector of a kind. Create it once for many objects. */
export function projectorOf(kind: Kind): Projector {
  if (!isMetadataKind(kind) && !isProjectedKind(kind)) return (object) => object;
  const tree = treeOf(isProjectedKind(kind) ? kind.fields : []);
  // Always in this order: engines optimize objects of the same shape.
  return <T extends KubernetesObject>(object: T) => {
    const { apiVersion, kind: name, metadata } = object;
    return { apiVersion, kind: name, metadata, ...picked(object, tree) } as unknown as T;
  };
}

/** @param fields paths, none of which is inside another one. */
function treeOf(fields: readonly string[]): FieldTree {
  const tree: FieldTree = new Map();
  for (const field of fields) {
    const names = field.split('.');
    const last = names.pop()!;
    let around = tree;
    for (const name of names) {
      const inner = around.get(name) ?? new Map();
      around.set(name, inner);
      around = inner;
    }
    around.set(last, undefined);
  }
  return tree;
}

function picked(object: object, tree: FieldTree): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const [name, inner] of tree) {
    const value = own(object as Readonly<Record<string, unknown>>, name);
    if (value === undefined) continue;
    if (!inner) result[name] = value;
    else if (isObject(value)) result[name] = picked(value, inner);
  }
  return result;
}
