import { compareVersions } from 'ots-apimachinery/version-priority';
import { type SchemaChange, compareSchemas } from './compare-schemas.ts';
import { isObject } from '../bundle/json.ts';
import { type SchemaNode, flatten } from './schema-node.ts';

/** A change of a CustomResourceDefinition that OLM v1 refuses. */
export interface UnsafeChange {
  /** The version or versions, such as `v1` or `v1 -> v2`; absent for the definition as a whole. */
  readonly version?: string;
  /** Where in the schema, such as `^.spec.size`; absent for the definition as a whole. */
  readonly path?: string;
  /** Such as `scope`, `storedVersionRemoval`, `existingFieldRemoval`, `required` or `unhandled`. */
  readonly rule: string;
  readonly message: string;
}

/** A version of a definition. */
interface Version {
  readonly name: string;
  readonly isServed: boolean;
  readonly isStored: boolean;
  readonly schema: unknown;
}

/**
 * Finds what is unsafe about an upgrade of a definition. Source: the CRD upgrade safety check of OLM v1.
 *
 * @param older as parsed from YAML; what is not a definition has nothing to compare
 */
export function unsafeChanges(older: SchemaNode, newer: SchemaNode): UnsafeChange[] {
  return [
    ...scopeChange(older, newer),
    ...storedVersionRemoval(older, newer),
    ...sameVersions(older, newer).flatMap(([before, after]) => fieldRemovals(before, after)),
    ...sameVersions(older, newer).flatMap(([before, after]) =>
      compareSchemas(before.schema, after.schema).map((change) => ({ version: before.name, ...change })),
    ),
    ...servedVersions(older, newer),
  ];
}

function scopeChange(older: SchemaNode, newer: SchemaNode): UnsafeChange[] {
  const [before, after] = [specOf(older)['scope'], specOf(newer)['scope']].map(String);
  return before === after ? [] : [{ rule: 'scope', message: `${before} became ${after}` }];
}

/** Objects may be stored in each of these versions. Without a status, as in a bundle, in the one that is stored. */
function storedVersionRemoval(older: SchemaNode, newer: SchemaNode): UnsafeChange[] {
  const status = isObject(older['status']) ? older['status']['storedVersions'] : undefined;
  const stored: readonly unknown[] = Array.isArray(status)
    ? status
    : versionsOf(older).flatMap(({ isStored, name }) => (isStored ? [name] : []));
  const names = new Set<unknown>(versionsOf(newer).map(({ name }) => name));
  const removed = stored.filter((name) => !names.has(name)).map(String);
  return removed.length === 0
    ? []
    : [{ rule: 'storedVersionRemoval', message: `objects may be stored as ${removed.join(', ')}` }];
}

function fieldRemovals(older: Version, newer: Version): UnsafeChange[] {
  const now = flatten(newer.schema);
  return [...flatten(older.schema).keys()]
    .filter((path) => !now.has(path))
    .map((path) => ({
      version: newer.name,
      path,
      rule: 'existingFieldRemoval',
      message: 'the field was removed',
    }));
}

function sameVersions(older: SchemaNode, newer: SchemaNode): (readonly [Version, Version])[] {
  const after = new Map(versionsOf(newer).map((version) => [version.name, version]));
  return versionsOf(older).flatMap((version) => {
    const same = after.get(version.name);
    return same ? [[version, same] as const] : [];
  });
}

/** Without a webhook, an object is read in another version as it was written. What was so before the upgrade is not its fault. */
function servedVersions(older: SchemaNode, newer: SchemaNode): UnsafeChange[] {
  const { conversion } = specOf(newer);
  if (isObject(conversion) && conversion['strategy'] === 'Webhook') return [];
  const known = new Set(betweenServed(older).map((change) => JSON.stringify(change)));
  return betweenServed(newer).filter((change) => !known.has(JSON.stringify(change)));
}

/** The changes from each served version to each later one. */
function betweenServed(definition: SchemaNode): UnsafeChange[] {
  const served = versionsOf(definition)
    .filter(({ isServed }) => isServed)
    .toSorted((a, b) => compareVersions(b.name, a.name));
  return served.flatMap((from, index) =>
    served.slice(index + 1).flatMap((to) =>
      compareSchemas(from.schema, to.schema).map((change: SchemaChange) => ({
        version: `${from.name} -> ${to.name}`,
        ...change,
      })),
    ),
  );
}

function versionsOf(definition: SchemaNode): Version[] {
  const { versions } = specOf(definition);
  return (Array.isArray(versions) ? versions : []).filter(isObject).map((version) => ({
    name: String(version['name']),
    isServed: version['served'] === true,
    isStored: version['storage'] === true,
    schema: isObject(version['schema']) ? version['schema']['openAPIV3Schema'] : undefined,
  }));
}

function specOf({ spec }: SchemaNode): SchemaNode {
  return isObject(spec) ? spec : {};
}
