import { jsonEqual } from '../json/json-equal.ts';
import { type JsonObject, isObject } from '../json/json-object.ts';
import {
  type Atom,
  type AtomKind,
  type ListAtom,
  type MapAtom,
  fieldAtom,
  firstPart,
  narrow,
} from './atom.ts';
import { FieldSet } from './field-set.ts';
import { listElement } from './list-element.ts';
import type { PathElement } from './path-element.ts';

/** The differences between two states of an object. */
export interface Comparison {
  readonly added: FieldSet;
  readonly modified: FieldSet;
  readonly removed: FieldSet;
}

/**
 * Compares two values. An added or removed map or list item counts itself (`.`), besides its fields.
 *
 * @param isMerged whether the new value is the result of an apply, in which empty values still count
 * @throws {ListItemError} when items cannot be identified
 */
export function compareTyped(before: unknown, after: unknown, atom: Atom, isMerged = false): Comparison {
  const comparer = new Comparer(isMerged);
  comparer.compare(before, after, atom);
  return comparer;
}

class Comparer implements Comparison {
  readonly added = new FieldSet();
  readonly modified = new FieldSet();
  readonly removed = new FieldSet();
  readonly #path: PathElement[] = [];
  readonly #isMerged: boolean;

  constructor(isMerged: boolean) {
    this.#isMerged = isMerged;
  }

  compare(before: unknown, after: unknown, atom: Atom): void {
    if (before === after) return;
    const left = narrow(atom, before);
    const right = narrow(atom, after);
    let isLeaf: boolean;
    if (after === undefined) isLeaf = this.#visit(left ?? firstPart(atom), before, after, atom);
    else {
      if (before !== undefined && left !== right) this.#visit(left ?? firstPart(atom), before, after, atom);
      isLeaf = this.#visit(right ?? firstPart(atom), before, after, atom);
    }
    if (isLeaf) return;
    if (before === undefined) this.added.insert(this.#path);
    else if (after === undefined) this.removed.insert(this.#path);
  }

  /** @returns whether the value was compared as a whole */
  #visit(part: AtomKind, before: unknown, after: unknown, { map, list }: Atom): boolean {
    if (part === 'map' && map) {
      const left = isObject(before) ? before : undefined;
      const right = isObject(after) ? after : undefined;
      if (!map.isAtomic && !(isEmptyMap(left, map) && isEmptyMap(right, map))) {
        this.#compareFields(left, right, map);
        return false;
      }
    }
    if (part === 'list' && list) {
      const left: unknown[] = Array.isArray(before) ? before : [];
      const right: unknown[] = Array.isArray(after) ? after : [];
      if (!list.isAtomic && left.length + right.length > 0) {
        this.#compareItems(left, right, list);
        return false;
      }
    }
    this.#compareWhole(before, after);
    return true;
  }

  #compareWhole(before: unknown, after: unknown): void {
    if (before === undefined) this.added.insert(this.#path);
    else if (after === undefined) this.removed.insert(this.#path);
    else if (!jsonEqual(before, after)) this.modified.insert(this.#path);
  }

  #compareFields(left: JsonObject | undefined, right: JsonObject | undefined, map: MapAtom): void {
    if (right) for (const name of Object.keys(right)) this.#compareField(left, right, name, map);
    if (left) {
      for (const name of Object.keys(left)) {
        if (!right || !Object.hasOwn(right, name)) this.#compareField(left, right, name, map);
      }
    }
    if (!map.zeros || (left && right)) return;
    const present = left ?? right ?? {};
    for (const name of map.zeros.keys()) {
      if (!Object.hasOwn(present, name)) this.#compareField(left, right, name, map);
    }
  }

  #compareField(
    left: JsonObject | undefined,
    right: JsonObject | undefined,
    name: string,
    map: MapAtom,
  ): void {
    const atom = fieldAtom(map, name);
    if (!atom) return;
    const before = readField(left, name, map, atom);
    const after = this.#isMerged ? readMerged(right, name, map) : readField(right, name, map, atom);
    if (before === undefined && after === undefined) return;
    this.#path.push(`f:${name}`);
    this.compare(before, after, atom);
    this.#path.pop();
  }

  #compareItems(left: readonly unknown[], right: readonly unknown[], list: ListAtom): void {
    const before = groupItems(left, list);
    const after = groupItems(right, list);
    for (const [element, items] of before) this.#compareItem(element, items, after.get(element) ?? [], list);
    for (const [element, items] of after)
      if (!before.has(element)) this.#compareItem(element, [], items, list);
  }

  /** Duplicate items are compared as a whole, because they cannot be matched. */
  #compareItem(
    element: PathElement,
    left: readonly unknown[],
    right: readonly unknown[],
    { item }: ListAtom,
  ): void {
    this.#path.push(element);
    if (left.length > 1 && right.length > 1) {
      if (!jsonEqual(left, right)) this.modified.insert(this.#path);
    } else if (left.length > 1) {
      if (right.length > 0) this.compare(undefined, right[0], item);
      this.removed.insert(this.#path);
    } else if (right.length > 1) {
      if (left.length > 0) this.compare(left[0], undefined, item);
      this.added.insert(this.#path);
    } else {
      this.compare(left[0], right[0], item);
    }
    this.#path.pop();
  }
}

function groupItems(items: readonly unknown[], list: ListAtom): Map<PathElement, unknown[]> {
  const groups = new Map<PathElement, unknown[]>();
  for (const item of items) {
    const element = listElement(list, item);
    const group = groups.get(element);
    if (group) group.push(item);
    else groups.set(element, [item]);
  }
  return groups;
}

/** A field as Go holds it: built-in types drop empty values, and fill in those that are never absent. */
function readField(object: JsonObject | undefined, name: string, { zeros }: MapAtom, { map }: Atom): unknown {
  if (!object) return undefined;
  const value = Object.hasOwn(object, name) ? object[name] : undefined;
  if (!zeros) return value;
  const isDropped =
    value === undefined ||
    value === null ||
    (Array.isArray(value) && value.length === 0) ||
    (map?.omitsEmpty === true && isObject(value) && Object.keys(value).length === 0);
  return isDropped ? zeros.get(name) : value;
}

/** A field before Go decodes it. */
function readMerged(object: JsonObject | undefined, name: string, { zeros }: MapAtom): unknown {
  if (!object) return undefined;
  return Object.hasOwn(object, name) ? object[name] : zeros?.get(name);
}

function isEmptyMap(object: JsonObject | undefined, { zeros }: MapAtom): boolean {
  if (!object) return true;
  if (zeros && zeros.size > 0) return false;
  for (const _ in object) return false;
  return true;
}
