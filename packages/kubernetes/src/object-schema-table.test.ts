import { expect, test } from 'vitest';
import { objectSchemaIndex } from './object-schema-table.ts';
import type { ObjectSchema } from './object-schema.ts';
import { objectSchema, objectSchemaKinds } from './object-schemas.ts';
import { resources } from './resources.ts';

const groupVersions = [...new Set(resources.map(({ group, version }) => `${group}/${version}`))];
const kinds = groupVersions.flatMap((groupVersion) => {
  const [group = '', version = ''] = groupVersion.split('/');
  return objectSchemaKinds(group, version).map((kind) => [group, version, kind] as const);
});

/** Every schema below the kinds, once. */
function reachable(): Set<ObjectSchema> {
  const seen = new Set<ObjectSchema>();
  const visit = (schema: ObjectSchema | undefined): void => {
    if (!schema || seen.has(schema)) return;
    seen.add(schema);
    for (const property of schema.properties?.values() ?? []) visit(property);
    visit(schema.items);
    visit(schema.additionalProperties);
  };
  for (const kind of kinds) visit(objectSchema(...kind));
  return seen;
}

/** The fields of every definition, each with the name of its definition. */
function fields(): { field: string; schema: ObjectSchema }[] {
  const definitions = new Map([...reachable()].map((schema) => [schema.definition, schema]));
  definitions.delete(undefined);
  return [...definitions.values()].flatMap(({ definition, properties }) =>
    [...(properties ?? [])].map(([name, schema]) => ({ field: `${definition}.${name}`, schema })),
  );
}

test('every definition of the table is a kind or part of one', () => {
  const rows = objectSchemaIndex.trim().split('\n');
  const listed = rows.flatMap((row) => {
    const [path, , , ...names] = row.split(' ');
    return names.map((name) => `${path}.${name.replace(/\*+$/, '')}`);
  });
  const reached = new Set([...reachable()].flatMap(({ definition }) => definition ?? []));
  expect([...reached].toSorted()).toStrictEqual(listed.toSorted());
});

test('every schema has a type', () => {
  for (const schema of reachable()) {
    const { type, intOrString, quantity, preserveUnknownFields, properties, additionalProperties } = schema;
    expect([type, intOrString, quantity, preserveUnknownFields].some(Boolean), schema.name).toBe(true);
    expect(type === 'array', schema.name).toBe(schema.items !== undefined);
    const fieldsKnown = [properties, additionalProperties, preserveUnknownFields].filter(Boolean);
    expect(fieldsKnown, schema.name).toHaveLength(type === 'object' || preserveUnknownFields ? 1 : 0);
    for (const name of schema.required ?? [])
      expect(properties?.has(name), `${schema.name} ${name}`).toBe(true);
  }
});

test('the keys of list maps are fields of their items, of which four are optional', () => {
  const keys = fields().flatMap(({ field, schema: { items, listMapKeys = [] } }) =>
    listMapKeys.map((key) => ({
      key: `${field.slice(field.lastIndexOf('.v1.') + 1)}[].${key}`,
      schema: items?.properties?.get(key),
      isRequired: items?.required?.includes(key),
    })),
  );
  for (const { key, schema } of keys) expect(schema, key).toBeDefined();
  const loose = keys.filter(({ schema, isRequired }) => !isRequired && schema?.default === undefined);
  expect(loose.map(({ key }) => key).toSorted()).toStrictEqual([
    'v1.FlowSchemaStatus.conditions[].type',
    'v1.PriorityLevelConfigurationStatus.conditions[].type',
    'v1.ResourceClaimStatus.devices[].shareID',
    'v1.ServiceAccount.secrets[].name',
  ]);
});

// Counts of Kubernetes 1.36 over the definitions of all groups; the tags of its Go types give the same.
test('the numbers of merged lists and of list maps are those of Kubernetes', () => {
  const all = fields().map(({ schema }) => schema);
  const count = (matches: (schema: ObjectSchema) => boolean) => all.filter(matches).length;
  expect(all).toHaveLength(2445);
  expect(count(({ patchStrategy }) => patchStrategy?.join() === 'merge')).toBe(53);
  expect(count(({ patchStrategy }) => patchStrategy?.join() === 'merge,retainKeys')).toBe(3);
  expect(count(({ patchStrategy }) => patchStrategy?.join() === 'retainKeys')).toBe(1);
  expect(count(({ patchStrategy }) => patchStrategy?.join() === 'replace')).toBe(1);
  // Two of the merged lists, finalizers and the pod CIDRs of a node, contain strings.
  expect(count(({ patchMergeKey }) => patchMergeKey !== undefined)).toBe(54);
  expect(count(({ listType }) => listType === 'map')).toBe(59);
  expect(count(({ listType }) => listType === 'set')).toBe(16);
});
