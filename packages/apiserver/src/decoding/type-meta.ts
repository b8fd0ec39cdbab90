import type { JsonObject } from '../json/json-object.ts';
import { jsonType } from './mismatches.ts';

/** What a refusal starts with when JSON cannot be read, or does not state a type. */
export const jsonError = "couldn't get version/kind; json parse error:";

/** Go's message for JSON of a type where an object is expected. */
export function notStruct(type: string): string {
  return `json: cannot unmarshal ${type} into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }`;
}

/** Go's error about an apiVersion or a kind that is not a string; undefined when both are strings. */
export function wrongTypeMeta(value: JsonObject): string | undefined {
  const wrong = Object.keys(value).find((name) => isTypeField(name) && !isText(value[name]));
  if (wrong === undefined) return undefined;
  return `json: cannot unmarshal ${jsonType(value[wrong])} into Go struct field .${wrong} of type string`;
}

function isTypeField(name: string): boolean {
  return name === 'apiVersion' || name === 'kind';
}

/** Null counts as absent. */
function isText(value: unknown): boolean {
  return typeof value === 'string' || value === null || value === undefined;
}
