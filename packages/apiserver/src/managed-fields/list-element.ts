import { goQuote } from 'ots-apimachinery/go/go-quote';
import { type JsonObject, isObject, setKey } from '../json/json-object.ts';
import type { ListAtom } from './atom.ts';
import { type PathElement, keyElement, valueElement } from './path-element.ts';

/** A list item cannot be identified. */
export class ListItemError extends Error {
  override readonly name = 'ListItemError';
}

/**
 * The path element of an item of a set, or of a list with keys.
 *
 * @throws {ListItemError} when it has no keys, or is not a valid item of a set
 */
export function listElement(list: ListAtom, item: unknown): PathElement {
  return list.keys.length > 0 ? keyedElement(list, item) : setElement(item);
}

function keyedElement({ keys, item: atom }: ListAtom, item: unknown): PathElement {
  if (item === null) throw new ListItemError('associative list with keys may not have a null element');
  if (!isObject(item)) throw new ListItemError('associative list with keys may not have non-map elements');
  const found: JsonObject = {};
  for (const key of keys) {
    const value = Object.hasOwn(item, key) ? item[key] : atom.map?.defaultOf(key);
    if (value !== undefined) setKey(found, key, value);
  }
  if (Object.keys(found).length === 0) {
    const names = keys.map(goQuote).join(' ');
    throw new ListItemError(
      `associative list with keys has an element that omits all key fields [${names}] (and doesn't have default values for any key fields)`,
    );
  }
  return keyElement(found);
}

function setElement(item: unknown): PathElement {
  if (isObject(item)) {
    throw new ListItemError("associative list without keys has an element that's a map type");
  }
  if (Array.isArray(item)) throw new ListItemError('not supported: associative list with lists as elements');
  if (item === null) {
    throw new ListItemError("associative list without keys has an element that's an explicit null");
  }
  return valueElement(item);
}
