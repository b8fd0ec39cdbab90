import { isObject } from '../json/json-object.ts';
import { type Atom, type ListAtom, type MapAtom, fieldAtom, partFor } from './atom.ts';
import { FieldSet } from './field-set.ts';
import { listElement } from './list-element.ts';
import type { PathElement } from './path-element.ts';

/**
 * The paths that a value sets: its leaves, the items of lists with keys, and empty maps. Applying the value owns
 * them.
 *
 * @throws {ListItemError} when items cannot be identified
 */
export function fieldSetOf(value: unknown, atom: Atom): FieldSet {
  const set = new FieldSet();
  addPaths(value, atom, { path: [], set });
  return set;
}

interface Walk {
  readonly path: PathElement[];
  readonly set: FieldSet;
}

function addPaths(value: unknown, atom: Atom, walk: Walk): void {
  const part = partFor(atom, value);
  if (part === 'map' && atom.map) addMap(value, atom.map, walk);
  else if (part === 'list' && atom.list) addList(value, atom.list, walk);
  else walk.set.insert(walk.path);
}

function addMap(value: unknown, map: MapAtom, walk: Walk): void {
  const { path, set } = walk;
  if (map.isAtomic) set.insert(path);
  else if (isObject(value)) {
    for (const [name, item] of Object.entries(value)) {
      const atom = fieldAtom(map, name);
      if (!atom) continue;
      path.push(`f:${name}`);
      addPaths(item, atom, walk);
      const isEmpty = item === null || (isObject(item) && Object.keys(item).length === 0);
      if (isEmpty || !map.field(name)) set.insert(path);
      path.pop();
    }
  }
}

/** Of duplicate items only the existence is owned. */
function addList(value: unknown, list: ListAtom, walk: Walk): void {
  const { path, set } = walk;
  if (list.isAtomic) set.insert(path);
  else if (Array.isArray(value)) {
    const elements = value.map((item) => listElement(list, item));
    const twice = new Set(elements.filter((element, index) => elements.indexOf(element) !== index));
    for (const [index, element] of elements.entries()) {
      path.push(element);
      if (!twice.has(element)) addPaths(value[index], list.item, walk);
      set.insert(path);
      path.pop();
    }
  }
}
