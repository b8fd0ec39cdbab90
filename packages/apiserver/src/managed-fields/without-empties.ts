import { type JsonObject, isObject, setKey } from '../json/json-object.ts';
import { type Atom, type ScalarAtom, fieldAtom } from './atom.ts';

/**
 * An object of a built-in kind without what Go drops: null, and empty lists and maps. Null in a map of scalars
 * becomes the empty value. Custom resources keep all of them.
 *
 * @returns the object, which shares parts with the given one
 */
export function withoutEmpties(value: JsonObject, { map }: Atom): JsonObject {
  if (!map?.zeros) return value;
  const rest: JsonObject = {};
  for (const [name, field] of Object.entries(value)) {
    const atom = fieldAtom(map, name);
    if (field === null && !map.field(name) && atom?.scalar) setKey(rest, name, zeroOf(atom.scalar));
    if (field === null || (Array.isArray(field) && field.length === 0)) continue;
    if (isObject(field) && Object.keys(field).length === 0 && atom?.map?.omitsEmpty) continue;
    setKey(rest, name, atom ? clean(field, atom) : field);
  }
  return rest;
}

function zeroOf(scalar: ScalarAtom): unknown {
  if (scalar === 'numeric') return 0;
  return scalar === 'boolean' ? false : '';
}

function clean(value: unknown, atom: Atom): unknown {
  if (isObject(value)) return withoutEmpties(value, atom);
  const { list } = atom;
  return Array.isArray(value) && list ? value.map((item: unknown) => clean(item, list.item)) : value;
}
