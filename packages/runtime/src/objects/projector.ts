import type { Kind, KubernetesObject } from 'ots-kubernetes';
import { isObject, own } from './merge-patch.ts';
import { isMetadataKind } from './metadata-of.ts';
import { isProjectedKind } from './projection-of.ts';

/** Fields by name; those in them, or undefined for the whole field. */
type FieldTree = Map<string, FieldTree | undefined>;

/**
 * Reduces an object of the kind to what the kind has of it, leaving it as it is; the result shares with it what it
 * keeps. Returns the object itself for a kind as a whole.
 */
export type Projector = <T extends KubernetesObject>(object: T) => T;

/** The projector of a kind; to be made once for many objects. */
export function projectorOf(kind: Kind): Projector {
  if (!isMetadataKind(kind) && !isProjectedKind(kind)) return (object) => object;
  const tree = treeOf(isProjectedKind(kind) ? kind.fields : []);
  // Always in this order: engines keep objects of one shape together.
  return <T extends KubernetesObject>(object: T) => {
    const { apiVersion, kind: name, metadata } = object;
    return { apiVersion, kind: name, metadata, ...picked(object, tree) } as unknown as T;
  };
}

/** @param fields none of which is in another one. */
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
