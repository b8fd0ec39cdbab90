import { type JsonObject, isObject, valueOf } from '../bundle/json.ts';

/** The objects in the list at an own key; none where there is no list. */
export function objectsAt(object: unknown, key: string): readonly JsonObject[] {
  const list = valueOf(object, key);
  return Array.isArray(list) ? list.filter(isObject) : [];
}
