import { checkValue } from '../schema/check-value.ts';
import type { Schema } from '../schema/schema.ts';
import { listProblems } from './list-problems.ts';

/** Reports what is wrong with the current schema. */
export type ReportProblem = (message: string, hint: string) => void;

type Level = 'root' | 'item' | 'field';

/**
 * Keywords that only the value's own schema can have, not its allOf: apiextensions.k8s.io calls that a
 * structural schema.
 */
const structure = [
  ...(['type', 'default', 'title', 'description', 'nullable', 'additionalProperties'] as const),
  ...(['x-kubernetes-preserve-unknown-fields', 'x-kubernetes-embedded-resource'] as const),
  ...(['x-kubernetes-int-or-string', 'x-kubernetes-list-map-keys'] as const),
  ...(['x-kubernetes-list-type', 'x-kubernetes-map-type'] as const),
] as const satisfies (keyof Schema)[];

/** The fields that the API server expects in every object. */
const fields = [
  ['apiVersion', 'string'],
  ['kind', 'string'],
  ['metadata', 'object'],
] as const;

/**
 * Checks a finished schema by the rules of structural schemas (apiextensions.k8s.io/v1), so ots does not
 * write a CRD that the API server rejects. Each tag is checked where it is applied, with better messages.
 * This check covers combinations of tags.
 * @param root the schema of a version of a kind
 */
export function structuralProblems(root: Schema): StructuralProblem[] {
  const problems: StructuralProblem[] = [];
  // Schemas are shared, and a problem in one applies wherever it is used. Report only the first place.
  const seen = new Set<Schema>();
  visit(root, 'root', [root], '');
  return problems;

  function visit(schema: Schema, level: Level, trail: readonly Schema[], path: string): void {
    if (seen.has(schema)) return;
    seen.add(schema);
    const report: ReportProblem = (message, hint) =>
      problems.push({ trail, path: path.slice(1), message, hint });
    checkType(schema, level, report);
    checkProperties(schema, report);
    listProblems(schema, report);
    if (level === 'root') checkRoot(schema, report);
    if (schema['x-kubernetes-embedded-resource']) checkEmbedded(schema, report);
    for (const constraint of schema.allOf ?? []) checkConstraint(constraint, report);
    if (schema.default !== undefined) checkDefault(schema, report);

    const below = (child: Schema, childLevel: Level, step: string) =>
      visit(child, childLevel, [...trail, child], path + step);
    for (const [name, property] of schema.properties ?? []) below(property, 'field', `.${name}`);
    if (schema.items) below(schema.items, 'item', '[*]');
    if (schema.additionalProperties) below(schema.additionalProperties, 'field', '[*]');
  }
}

function checkType(schema: Schema, level: Level, report: ReportProblem): void {
  const isIntOrString = schema['x-kubernetes-int-or-string'];
  const isOpen = schema['x-kubernetes-preserve-unknown-fields'];
  if (isIntOrString) {
    if (schema.type || isOpen || schema['x-kubernetes-embedded-resource'])
      report('a value that is an integer or a string cannot have another type', 'remove one of the tags');
  } else if (!schema.type && (!isOpen || level === 'root')) {
    report('the schema has no type', 'give it a type, or add @preserveUnknownFields');
  }
  if (schema['x-kubernetes-map-type'] && schema.type !== 'object')
    report('only an object has a map type', 'remove @mapType');
}

function checkProperties(schema: Schema, report: ReportProblem): void {
  const { properties, additionalProperties, required = [] } = schema;
  if (properties && additionalProperties)
    report(
      'an object has either named properties or any number of them of one type',
      'move those of one type into a property that is a Record<string, T>',
    );
  if ((properties || additionalProperties) && schema.type !== 'object')
    report('only an object has properties', 'remove the tag that changes the type');
  const missing = required.find((name) => !properties?.has(name));
  if (missing !== undefined && !additionalProperties && !schema['x-kubernetes-preserve-unknown-fields'])
    report(`the property ${missing} is required and not declared`, 'declare it');
}

function checkRoot(schema: Schema, report: ReportProblem): void {
  if (schema.type !== 'object') report('a kind is an object', 'remove the tag that changes its type');
  if (schema.additionalProperties)
    report('a kind has named properties only', 'move the others into a property of the spec');
  if (schema.nullable) report('an object of a kind cannot be null', 'remove the tag');
}

/**
 * Checks an object of another kind within an object. The API server manages its metadata and must know which
 * fields to keep.
 */
function checkEmbedded(schema: Schema, report: ReportProblem): void {
  if (schema.type !== 'object') report('an embedded resource is an object', 'remove @embeddedResource');
  if (schema.additionalProperties)
    report('an embedded resource cannot be a map', 'declare its properties, or add @preserveUnknownFields');
  if (!schema.properties?.size && !schema['x-kubernetes-preserve-unknown-fields'])
    report('the API server would not store any field of the embedded resource', 'add @preserveUnknownFields');
  for (const [name, type] of fields) {
    const property = schema.properties?.get(name);
    if (property && property.type !== type)
      report(`the ${name} of an embedded resource must be of type ${type}`, 'change its type, or remove it');
  }
}

function checkConstraint(constraint: Schema, report: ReportProblem): void {
  const wrong = structure.find((key) => constraint[key] !== undefined);
  if (wrong) report(`${wrong} cannot be part of a combination of types`, 'write one type with all of it');
  for (const property of constraint.properties?.values() ?? []) checkConstraint(property, report);
  for (const nested of constraint.allOf ?? []) checkConstraint(nested, report);
  if (constraint.items) checkConstraint(constraint.items, report);
}

function checkDefault(schema: Schema, report: ReportProblem): void {
  const problem = checkValue(schema, schema.default!, 'it');
  if (problem) report(`the default does not fit its type: ${problem}`, 'change the default or the type');
}

/** Why the API server would reject a schema or a part of one. */
export interface StructuralProblem {
  /**
   * The schemas from the root to the invalid one. The last one with an origin is the location of the error.
   */
  readonly trail: readonly Schema[];
  /** The same as a path of properties, like `spec.ports[*].name`. */
  readonly path: string;
  readonly message: string;
  readonly hint: string;
}
