import { type JsonObject, isObject, setKey } from '../json/json-object.ts';
import { type Atom, type ListAtom, type MapAtom, fieldAtom, partFor } from './atom.ts';
import type { FieldSet } from './field-set.ts';
import { listElement } from './list-element.ts';

/**
 * Removes fields and list items from a value. A map or list that becomes empty turns into null.
 *
 * @throws {ListItemError} when items cannot be identified
 */
export function removeItems(value: unknown, items: FieldSet, atom: Atom): unknown {
  const part = partFor(atom, value);
  if (part === 'map' && atom.map) return removeFromMap(value, items, atom.map);
  if (part === 'list' && atom.list) return removeFromList(value, items, atom.list);
  return value;
}

function removeFromMap(value: unknown, items: FieldSet, map: MapAtom): unknown {
  if (!isObject(value) || map.isAtomic) return null;
  const rest: JsonObject = {};
  for (const [name, field] of Object.entries(value)) {
    const element = `f:${name}`;
    if (items.members.has(element)) continue;
    const below = items.children.get(element);
    const atom = fieldAtom(map, name);
    setKey(rest, name, below && !below.isEmpty && atom ? removeItems(field, below, atom) : field);
  }
  return Object.keys(rest).length > 0 ? rest : null;
}

function removeFromList(value: unknown, items: FieldSet, list: ListAtom): unknown {
  if (!Array.isArray(value) || list.isAtomic) return null;
  const rest: unknown[] = [];
  for (const item of value) {
    const element = listElement(list, item);
    if (items.members.has(element)) continue;
    const below = items.children.get(element);
    rest.push(below && !below.isEmpty ? removeItems(item, below, list.item) : item);
  }
  return rest.length > 0 ? rest : null;
}
