import { isDeepStrictEqual } from 'node:util';
import { compareVersions } from 'ots-apimachinery/version-priority';
import type { CustomResourceDefinition, JSONSchemaProps } from 'ots-kubernetes/apiextensions/v1';
import type { DeepReadonly } from 'ots-runtime';

type Definition = DeepReadonly<CustomResourceDefinition>;
type Schema = DeepReadonly<JSONSchemaProps>;
type Version = Definition['spec']['versions'][number];

/**
 * What the upgrade check of OLM v1 refuses in a definition: a new scope, versions that are gone and may be stored, fields that are gone, and
 * changes of schemas that objects or clients may not survive, in each version and between the served ones. `ots bundle validate --upgrade-from`
 * has the whole check, with its exact findings.
 */
export function refusedChanges(older: Definition, newer: Definition): string[] {
  const versions = new Map(newer.spec.versions.map((version) => [version.name, version]));
  const lost = storedVersions(older).filter((version) => !versions.has(version));
  const scopes = `"${older.spec.scope}" -> "${newer.spec.scope}"`;
  const known = new Set(betweenServed(older));
  const converts = newer.spec.conversion?.strategy === 'Webhook';
  return [
    ...(older.spec.scope === newer.spec.scope ? [] : [`scope: scope changed : ${scopes}`]),
    ...(lost.length === 0 ? [] : [`storedVersionRemoval: stored versions removed : [${lost.join(' ')}]`]),
    ...older.spec.versions.flatMap((version) => {
      const next = versions.get(version.name);
      return next ? versionChanges(version, next) : [];
    }),
    ...(converts ? [] : betweenServed(newer).filter((change) => !known.has(change))),
  ];
}

function storedVersions({ spec, status }: Definition): readonly string[] {
  return status?.storedVersions ?? spec.versions.filter(({ storage }) => storage).map(({ name }) => name);
}

/** Without a webhook, an object is read in another version as it was written. */
function betweenServed({ spec }: Definition): string[] {
  const served = spec.versions
    .filter((version) => version.served)
    .toSorted((a, b) => compareVersions(b.name, a.name));
  return served.flatMap((from, index) => served.slice(index + 1).flatMap((to) => versionChanges(from, to)));
}

function versionChanges(older: Version, newer: Version): string[] {
  const place = older.name === newer.name ? newer.name : `${older.name} -> ${newer.name}`;
  return schemaChanges(
    older.schema?.openAPIV3Schema ?? {},
    newer.schema?.openAPIV3Schema ?? {},
    `${place}: ^`,
  );
}

const minima = ['minimum', 'minLength', 'minItems', 'minProperties'] as const;
const maxima = ['maximum', 'maxLength', 'maxItems', 'maxProperties'] as const;
/** A change of these is never safe. */
const fixed = ['type', 'default', 'pattern', 'nullable'] as const;
/** What is compared in its own way, or means nothing to objects. */
const handled = new Set<string>([
  ...minima,
  ...maxima,
  ...fixed,
  'required',
  'enum',
  'properties',
  'items',
  'description',
]);

function schemaChanges(older: Schema, newer: Schema, path: string): string[] {
  const keywords = new Set([...Object.keys(older), ...Object.keys(newer)].filter((key) => !handled.has(key)));
  const differ = (key: string) => !isDeepStrictEqual(valueOf(older, key), valueOf(newer, key));
  const unhandled = [...keywords].filter(differ);
  return [
    ...fixed.filter(differ).map((key) => `${path}: ${key}: ${key} changed`),
    ...requiredChanges(older, newer, path),
    ...enumChanges(older, newer, path),
    ...minima
      .filter((key) => isStricter(older[key], newer[key], 1))
      .map((key) => `${path}: ${key}: minimum increased`),
    ...maxima
      .filter((key) => isStricter(older[key], newer[key], -1))
      .map((key) => `${path}: ${key}: maximum decreased`),
    ...(unhandled.length === 0
      ? []
      : [`${path}: unhandled: unhandled changes found (${unhandled.join(', ')})`]),
    ...childChanges(older, newer, path),
  ];
}

function childChanges(older: Schema, newer: Schema, path: string): string[] {
  const fields = Object.entries(older.properties ?? {}).flatMap(([name, property]) => {
    const next = newer.properties?.[name];
    const place = `${path}.${name}`;
    return next
      ? schemaChanges(property, next, place)
      : [`existingFieldRemoval: removed field : ${place.replace(': ', '.')}`];
  });
  const [oldItems, newItems] = [older.items, newer.items].map((items) =>
    Array.isArray(items) ? undefined : items,
  ) as (Schema | undefined)[];
  return [...fields, ...(oldItems ? schemaChanges(oldItems, newItems ?? {}, `${path}.items`) : [])];
}

/** What is false or empty means the same as nothing. */
function valueOf(schema: Schema, key: string): unknown {
  const value = schema[key as keyof Schema];
  return value === false || value === '' ? undefined : value;
}

function isStricter(older: number | undefined, newer: number | undefined, sign: 1 | -1): boolean {
  if (newer === undefined) return false;
  return older === undefined || (newer - older) * sign > 0;
}

function requiredChanges(older: Schema, newer: Schema, path: string): string[] {
  const added = (newer.required ?? []).filter((name) => !older.required?.includes(name));
  return added.length === 0 ? [] : [`${path}: required: new required fields: [${added.join(' ')}]`];
}

function enumChanges(older: Schema, newer: Schema, path: string): string[] {
  const after = newer.enum ?? [];
  if (!older.enum)
    return after.length > 0 ? [`${path}: enum: enum constraint added when there was none previously`] : [];
  const removed = older.enum.filter((value) => !after.some((each) => isDeepStrictEqual(each, value)));
  return removed.length === 0
    ? []
    : [`${path}: enum: allowed enum values removed : ${JSON.stringify(removed)}`];
}
