import type { ObjectState } from '../../model/dev-state.ts';

const collator = new Intl.Collator('en', { numeric: true });

/** An object with those that it owns. */
export interface ObjectNode {
  readonly object: ObjectState;
  readonly children: readonly ObjectNode[];
}

/** Objects below the first of their owners that is shown, in the order of kind and name. */
export function objectTree(objects: Readonly<Record<string, ObjectState>>): readonly ObjectNode[] {
  const roots: ObjectState[] = [];
  const owned = new Map<string, ObjectState[]>();
  for (const object of Object.values(objects)) {
    const owner = object.owners.find((uid) => objects[uid] !== undefined && uid !== object.uid);
    if (owner === undefined) roots.push(object);
    else owned.set(owner, [...(owned.get(owner) ?? []), object]);
  }
  // Owners that own each other have no root: the tree shows such objects beside the others.
  const reached = new Set<string>();
  const nodeOf = (object: ObjectState): ObjectNode => {
    reached.add(object.uid);
    const children = (owned.get(object.uid) ?? []).filter(({ uid }) => !reached.has(uid));
    return { object, children: children.toSorted(inOrder).map((child) => nodeOf(child)) };
  };
  const nodes = roots.toSorted(inOrder).map((root) => nodeOf(root));
  const lost = Object.values(objects).toSorted(inOrder);
  for (const object of lost) if (!reached.has(object.uid)) nodes.push(nodeOf(object));
  return nodes;
}

export function countObjects(nodes: readonly ObjectNode[]): number {
  return nodes.reduce((count, { children }) => count + 1 + countObjects(children), 0);
}

function inOrder(a: ObjectState, b: ObjectState): number {
  return collator.compare(keyOf(a), keyOf(b));
}

function keyOf({ kind, namespace = '', name }: ObjectState): string {
  return `${kind} ${namespace} ${name}`;
}
