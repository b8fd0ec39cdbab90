import { typeSchema, typeSchemaModules, typeSchemaNames } from 'ots-kubernetes/type-schemas';
import { aliasKey } from './alias.ts';
import type { Schema } from './schema.ts';

const packageName = 'ots-kubernetes';
/** It exports most of what the root of ots-kubernetes does. */
const runtime = 'ots-runtime';
const notInRuntime = new Set(['ManagedFieldsEntry']);
/** What the table calls the root of ots-kubernetes. */
const root = '.';

const quantity =
  '^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$';

const intOrString: Schema = {
  anyOf: [{ type: 'integer' }, { type: 'string' }],
  'x-kubernetes-int-or-string': true,
};

const dateTime: Schema = { type: 'string', format: 'date-time' };

/** The types of the root that have no structure: most files use them, few use any other, and so they are kept out of the table. */
const scalars: ReadonlyMap<string, Schema> = new Map<string, Schema>([
  ['int32', { type: 'integer', format: 'int32' }],
  ['int64', { type: 'integer', format: 'int64' }],
  ['float', { type: 'number', format: 'float' }],
  ['double', { type: 'number', format: 'double' }],
  named(
    'IntOrString',
    intOrString,
    'An integer or a string, such as a number of pods or a percentage of them: `3`, `25%`.',
  ),
  named(
    'Quantity',
    { ...intOrString, pattern: quantity },
    'An amount, with a suffix for its size: `500m`, `1.5Gi`, `2e3`.',
  ),
  named('Time', dateTime, 'A point in time by RFC 3339, to the second: `2026-01-31T12:00:00Z`.'),
  named(
    'MicroTime',
    dateTime,
    'A point in time by RFC 3339, to the microsecond: `2026-01-31T12:00:00.000000Z`.',
  ),
  // Go writes durations as 1h30m; the format `duration` would be checked by another grammar.
  named('Duration', { type: 'string' }, 'A length of time as Go writes it: `90s`, `1h30m`.'),
]);

/** A type that documentation calls by its name. */
function named(name: string, schema: Schema, description: string): [string, Schema] {
  return [name, { ...schema, [aliasKey]: { name, schema, description } }];
}

/** Whether a package, or a module of one, exports the types of Kubernetes itself. */
export function isKubernetesPackage(specifier: string): boolean {
  return specifier === runtime || specifier === packageName || specifier.startsWith(`${packageName}/`);
}

/** What the table of schemas calls a module, such as `core/v1` of `ots-kubernetes/core/v1`; undefined for other packages. */
export function builtinModule(specifier: string): string | undefined {
  if (!isKubernetesPackage(specifier)) return undefined;
  return specifier.startsWith(`${packageName}/`) ? specifier.slice(packageName.length + 1) : root;
}

/** The modules of ots-kubernetes that export types of Kubernetes, as they are imported. */
export function builtinSpecifiers(): readonly string[] {
  return typeSchemaModules().map((module) => (module === root ? packageName : `${packageName}/${module}`));
}

/** The names of the types of a module that have a schema; empty for other packages. */
export function builtinTypeNames(specifier: string): readonly string[] {
  const module = builtinModule(specifier);
  if (module === undefined) return [];
  if (module !== root) return typeSchemaNames(module);
  const names = [...scalars.keys(), ...typeSchemaNames(root)];
  return specifier === runtime ? names.filter((name) => !notInRuntime.has(name)) : names;
}

/**
 * The schema of a type of Kubernetes: what Go users get from controller-gen.
 * @returns undefined when the module exports no such type, or none that a CRD can hold; adviceForPackageType says why
 */
export function builtinType(specifier: string, name: string): Schema | undefined {
  const module = builtinModule(specifier);
  if (module === undefined || (specifier === runtime && notInRuntime.has(name))) return undefined;
  return (module === root ? scalars.get(name) : undefined) ?? typeSchema(module, name);
}

/** Whether a schema is that of Condition, whose lists are keyed by type. */
export function isCondition(schema: Schema): boolean {
  // The first question spares most programs the second, which needs the table.
  const { properties } = schema;
  return (
    Boolean(properties?.has('lastTransitionTime')) && properties === typeSchema(root, 'Condition')?.properties
  );
}
