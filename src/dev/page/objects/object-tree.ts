import type { ObjectState } from '../../model/dev-state.ts';
import { compareNames, nameOf } from './session-index.ts';

/** A row of the tree. */
export interface TreeRow {
  readonly object: ObjectState;
  /** 1 for an object without an owner. */
  readonly level: number;
  /** How many objects it owns directly. */
  readonly children: number;
}

export interface TreeOptions {
  /** The uids of objects whose children are not shown. */
  readonly collapsed: ReadonlySet<string>;
  /** Shows objects whose kind or name contains it, and their owners. */
  readonly filter: string;
}

/** The objects in the order of the tree: each below its first owner, siblings by kind and name. */
export function treeRows(
  objects: Readonly<Record<string, ObjectState>>,
  { collapsed, filter }: TreeOptions,
): TreeRow[] {
  const childrenOf = groupByOwner(objects);
  const visible = filter === '' ? undefined : matching(objects, filter.toLowerCase());
  const rows: TreeRow[] = [];
  const seen = new Set<string>();
  const add = (parent: string, level: number) => {
    for (const object of childrenOf.get(parent) ?? []) {
      const { uid } = object;
      if (seen.has(uid) || (visible && !visible.has(uid))) continue;
      seen.add(uid);
      rows.push({ object, level, children: childrenOf.get(uid)?.length ?? 0 });
      if (visible || !collapsed.has(uid)) add(uid, level + 1);
    }
  };
  add('', 1);
  return rows;
}

/** The first owner that the session knows; none for the others, and for those that own each other. */
function parentOf(
  objects: Readonly<Record<string, ObjectState>>,
  { uid, owners }: ObjectState,
): string | undefined {
  return owners.find((owner) => owner !== uid && objects[owner] !== undefined);
}

/** By the uid of the owner; roots by the empty text. */
function groupByOwner(objects: Readonly<Record<string, ObjectState>>): Map<string, ObjectState[]> {
  const groups = new Map<string, ObjectState[]>();
  for (const object of Object.values(objects).toSorted(compare)) {
    const parent = isInRing(objects, object) ? '' : (parentOf(objects, object) ?? '');
    const group = groups.get(parent);
    if (group) group.push(object);
    else groups.set(parent, [object]);
  }
  return groups;
}

function isInRing(objects: Readonly<Record<string, ObjectState>>, object: ObjectState): boolean {
  const seen = new Set<string>();
  let parent = parentOf(objects, object);
  while (parent !== undefined && !seen.has(parent)) {
    if (parent === object.uid) return true;
    seen.add(parent);
    parent = parentOf(objects, objects[parent]!);
  }
  return false;
}

function matching(objects: Readonly<Record<string, ObjectState>>, text: string): Set<string> {
  const found = new Set<string>();
  for (const object of Object.values(objects)) {
    if (!`${object.kind} ${nameOf(object)}`.toLowerCase().includes(text)) continue;
    let uid: string | undefined = object.uid;
    while (uid !== undefined && !found.has(uid)) {
      found.add(uid);
      uid = parentOf(objects, objects[uid]!);
    }
  }
  return found;
}

function compare(a: ObjectState, b: ObjectState): number {
  return a.kind.localeCompare(b.kind) || compareNames(a, b) || a.createdAt.localeCompare(b.createdAt);
}
