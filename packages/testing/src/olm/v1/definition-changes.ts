import { isDeepStrictEqual } from 'node:util';
import type { CustomResourceDefinition, JSONSchemaProps } from 'ots-kubernetes/apiextensions/v1';
import type { DeepReadonly } from 'ots-runtime';

type Definition = DeepReadonly<CustomResourceDefinition>;
type Schema = DeepReadonly<JSONSchemaProps>;

/**
 * What the upgrade check of OLM v1 refuses in a definition: the scope, versions that may be stored, and in the versions of both definitions fields
 * that are gone, types, required fields, enums, defaults, and bounds that are new. It is a part of the check: `ots bundle validate
 * --upgrade-from` does all of it.
 */
export function refusedChanges(older: Definition, newer: Definition): string[] {
  const stored = older.status?.storedVersions ?? [];
  const versions = new Map(
    newer.spec.versions.map((version) => [version.name, version.schema?.openAPIV3Schema]),
  );
  const lost = stored.filter((version) => !versions.has(version));
  return [
    ...(older.spec.scope === newer.spec.scope
      ? []
      : [`scope: scope changed : "${older.spec.scope}" -> "${newer.spec.scope}"`]),
    ...lost.map((version) => `storedVersionRemoval: stored version "${version}" removed`),
    ...older.spec.versions.flatMap(({ name, schema }) => {
      const next = versions.get(name);
      return schema?.openAPIV3Schema && next ? schemaChanges(schema.openAPIV3Schema, next, `${name}: ^`) : [];
    }),
  ];
}

const bounds = [
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'pattern',
  'format',
] as const;

function schemaChanges(older: Schema, newer: Schema, path: string): string[] {
  const own = [
    ...(older.type === newer.type
      ? []
      : [`${path}: type: type changed : "${older.type}" -> "${newer.type}"`]),
    ...requiredChanges(older, newer, path),
    ...enumChanges(older, newer, path),
    ...(isDeepStrictEqual(older.default, newer.default) ? [] : [`${path}: default: default changed`]),
    ...bounds
      .filter((bound) => older[bound] === undefined && newer[bound] !== undefined)
      .map(
        (bound) =>
          `${path}: ${bound}: constraint added when there was none previously : ${JSON.stringify(newer[bound])}`,
      ),
  ];
  const children = Object.entries(older.properties ?? {}).flatMap(([name, property]) => {
    const next = newer.properties?.[name];
    const place = `${path}.${name}`;
    return next
      ? schemaChanges(property, next, place)
      : [`existingFieldRemoval: removed field : ${place.replace(': ', '.')}`];
  });
  const [oldItems, newItems] = [older.items, newer.items] as (Schema | undefined)[];
  return [
    ...own,
    ...children,
    ...(oldItems && newItems ? schemaChanges(oldItems, newItems, `${path}.items`) : []),
  ];
}

function requiredChanges(older: Schema, newer: Schema, path: string): string[] {
  const added = (newer.required ?? []).filter((name) => !older.required?.includes(name));
  return added.length === 0 ? [] : [`${path}: required: new required fields: [${added.join(' ')}]`];
}

function enumChanges(older: Schema, newer: Schema, path: string): string[] {
  if (!newer.enum) return older.enum ? [`${path}: enum: allowed enum values removed`] : [];
  if (!older.enum) return [`${path}: enum: enum constraint added when there was none previously`];
  const removed = older.enum.filter((value) => !newer.enum!.some((each) => isDeepStrictEqual(each, value)));
  return removed.length === 0
    ? []
    : [`${path}: enum: allowed enum values removed : ${JSON.stringify(removed)}`];
}
