import { stringifyJson } from './stringify-json.ts';

/** Each text lives as long as its object. */
const texts = new WeakMap<object, string>();

/** The JSON text of an object that no longer changes. Computed once and shared by answers, lists and watches. */
export function jsonTextOf(object: object): string {
  let text = texts.get(object);
  if (text === undefined) texts.set(object, (text = stringifyJson(object)));
  return text;
}
