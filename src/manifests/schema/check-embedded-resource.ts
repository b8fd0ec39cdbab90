import { isLabelValue, isQualifiedName } from 'ots-apimachinery/names';
import { isJsonObject } from './schema.ts';
import type { Json, JsonObject } from './schema.ts';

/** Stricter than the API server. Only unusual defaults are rejected. */
const apiVersion = /^(?:[a-z0-9][-a-z0-9.]*\/)?[a-z][a-z0-9]*$/;
const kind = /^[A-Za-z][A-Za-z0-9]{0,61}$/;
const objectName = /^[a-z0-9][-a-z0-9.]*$/;

type Check = (value: Json) => boolean;

const matches =
  (pattern: RegExp): Check =>
  (value) =>
    typeof value === 'string' && pattern.test(value);
const isMapOf =
  (isName: (name: string) => boolean, isValue: Check): Check =>
  (value) =>
    isJsonObject(value) && Object.entries(value).every(([name, item]) => isName(name) && isValue(item));

/** The fields of metadata that make sense in a default. */
const metadataFields: ReadonlyMap<string, Check> = new Map<string, Check>([
  ['name', matches(objectName)],
  ['namespace', matches(objectName)],
  ['labels', isMapOf(isQualifiedName, (value) => typeof value === 'string' && isLabelValue(value))],
  ['annotations', isMapOf(isQualifiedName, (value) => typeof value === 'string')],
]);

/**
 * Checks a value that is a whole Kubernetes object. The API server checks its apiVersion, kind and metadata.
 * @param path name of the value in the message
 * @returns what is wrong, or undefined
 */
export function checkEmbeddedResource(value: JsonObject, path: string): string | undefined {
  for (const [name, pattern] of [
    ['apiVersion', apiVersion],
    ['kind', kind],
  ] as const) {
    if (!Object.hasOwn(value, name)) return `${path}.${name} is missing`;
    if (!matches(pattern)(value[name]!)) return `${path}.${name} is not known to be valid`;
  }
  if (!Object.hasOwn(value, 'metadata')) return undefined;
  const metadata = value['metadata']!;
  if (!isJsonObject(metadata)) return `${path}.metadata must be an object`;
  const wrong = Object.entries(metadata).find(([name, item]) => !metadataFields.get(name)?.(item));
  return wrong && `${path}.metadata.${wrong[0]} is not known to be valid`;
}
