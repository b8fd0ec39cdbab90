import { stringifyJson } from './stringify-json.ts';

/** Texts live as long as the objects that they show. */
const texts = new WeakMap<object, string>();

/** The JSON text of an object that nobody changes any more. It is made once: answers, lists and watches share it. */
export function jsonTextOf(object: object): string {
  let text = texts.get(object);
  if (text === undefined) texts.set(object, (text = stringifyJson(object)));
  return text;
}
