import { typeSchema, typeSchemaModules, typeSchemaNames } from 'ots-kubernetes/type-schemas';
import { aliasKey } from './alias.ts';
import { runtimeTypes } from './runtime-types.ts';
import type { Schema } from './schema.ts';

const packageName = 'ots-kubernetes';
/** Exports most of what the root of ots-kubernetes exports. */
const runtime = 'ots-runtime';
const notInRuntime = new Set(['ManagedFieldsEntry']);
/** The key of the root of ots-kubernetes in the table of schemas. */
const root = '.';

const quantity =
  '^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$';

const intOrString: Schema = {
  anyOf: [{ type: 'integer' }, { type: 'string' }],
  'x-kubernetes-int-or-string': true,
};

const dateTime: Schema = { type: 'string', format: 'date-time' };

/**
 * The scalar types of the root. Most files use these and few use any others, so they are kept out of the
 * table.
 */
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
  // Go writes durations as 1h30m. The format `duration` would check a different grammar.
  named('Duration', { type: 'string' }, 'A length of time as Go writes it: `90s`, `1h30m`.'),
]);

/** A type that the API reference refers to by its name. */
function named(name: string, schema: Schema, description: string): [string, Schema] {
  return [name, { ...schema, [aliasKey]: { name, schema, description } }];
}

/** Returns whether a package, or a module of one, exports the types of Kubernetes itself. */
export function isKubernetesPackage(specifier: string): boolean {
  return specifier === runtime || specifier === packageName || specifier.startsWith(`${packageName}/`);
}

/**
 * Returns the key of a module in the table of schemas, such as `core/v1` for `ots-kubernetes/core/v1`, or
 * undefined for other packages.
 */
export function builtinModule(specifier: string): string | undefined {
  if (!isKubernetesPackage(specifier)) return undefined;
  return specifier.startsWith(`${packageName}/`) ? specifier.slice(packageName.length + 1) : root;
}

/** Returns the specifiers of the modules of ots-kubernetes that export types of Kubernetes. */
export function builtinSpecifiers(): readonly string[] {
  return typeSchemaModules().map((module) => (module === root ? packageName : `${packageName}/${module}`));
}

/** Returns the names of the types of a module that have a schema; empty for other packages. */
export function builtinTypeNames(specifier: string): readonly string[] {
  const module = builtinModule(specifier);
  if (module === undefined) return [];
  if (module !== root) return typeSchemaNames(module);
  const names = [...scalars.keys(), ...typeSchemaNames(root)];
  if (specifier !== runtime) return names;
  return [...names.filter((name) => !notInRuntime.has(name)), ...runtimeTypes.keys()];
}

/**
 * Returns the schema of a Kubernetes type, the same as controller-gen generates for Go.
 * @returns undefined if the module does not export the type or a CRD cannot express it; adviceForPackageType
 * explains why
 */
export function builtinType(specifier: string, name: string): Schema | undefined {
  const module = builtinModule(specifier);
  if (module === undefined || (specifier === runtime && notInRuntime.has(name))) return undefined;
  if (specifier === runtime && runtimeTypes.has(name)) return runtimeTypes.get(name);
  return (module === root ? scalars.get(name) : undefined) ?? typeSchema(module, name);
}

/** Returns whether a schema is that of Condition, whose lists are keyed by type. */
export function isCondition(schema: Schema): boolean {
  // The first check rules out most schemas without loading the table.
  const { properties } = schema;
  return (
    Boolean(properties?.has('lastTransitionTime')) && properties === typeSchema(root, 'Condition')?.properties
  );
}
