import { type Schema, additionalSchema, itemSchema } from '../../schema/json-schema.ts';
import { type FieldError, forbidden, invalid } from '../../status/field-error.ts';
import { checkRules } from '../rules/check-rules.ts';
import { hasRules } from '../rules/has-rules.ts';
import { validateDefaults } from './validate-defaults.ts';
import { validateKeywords } from './validate-keywords.ts';
import { validateStructure } from './validate-structure.ts';

/** Keywords not allowed at the root beside a status subresource, which is validated by the schema of `status` alone. */
const notBesideStatus = [
  'id',
  '$schema',
  '$ref',
  'type',
  'nullable',
  'default',
  'maxProperties',
  'minProperties',
  'enum',
  'allOf',
  'oneOf',
  'anyOf',
  'not',
  'additionalProperties',
  'patternProperties',
  'dependencies',
  'additionalItems',
  'definitions',
  'x-kubernetes-embedded-resource',
  'x-kubernetes-int-or-string',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-list-type',
  'x-kubernetes-map-type',
] as const;
const besideStatus =
  '[Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum MaxLength MinLength Pattern MaxItems MinItems UniqueItems MultipleOf Required Items Properties ExternalDocs Example XPreserveUnknownFields XValidations]';

/**
 * Validates the schema of a version: its keywords; its structure; if that is valid, its defaults; if those are
 * valid, its rules.
 *
 * @param path the path of the schema, such as `spec.validation`
 * @param hasStatus whether the version has a status subresource
 */
export function validateSchema(schema: Schema, path: string, hasStatus: boolean): FieldError[] {
  const place = `${path}.openAPIV3Schema`;
  const problem = conversionProblem(schema);
  const structure = problem === undefined ? validateStructure(schema, place) : [];
  const isStructural = problem === undefined && structure.length === 0;
  const defaults = isStructural ? validateDefaults(schema, place) : [];
  const keywords = validateKeywords(schema, place);
  const errors = [
    ...validateRoot(schema, place, hasStatus),
    ...structure,
    ...defaults,
    ...keywords.map(({ error }) => error),
    ...(isStructural && defaults.length === 0 && hasRules(schema) ? checkRules(schema, place, keywords) : []),
  ];
  return errors.length === 0 && problem !== undefined ? [invalid(place, '', problem)] : errors;
}

/** Validates the keywords of the schema of a whole object. */
export function validateRoot(schema: Schema, place: string, hasStatus: boolean): FieldError[] {
  return [
    ...(hasStatus ? validateBesideStatus(schema, place) : []),
    ...(schema.nullable ? [forbidden(`${place}.nullable`, 'nullable cannot be true at the root')] : []),
  ];
}

function validateBesideStatus(schema: Schema, place: string): FieldError[] {
  for (const keyword of notBesideStatus) {
    const value = schema[keyword];
    if (value === undefined || value === false || value === '') continue;
    if (keyword !== 'type') {
      const detail = `only ${besideStatus} fields are allowed at the root of the schema if the status subresource is enabled`;
      return [invalid(place, schema, detail)];
    }
    if (value !== 'object') {
      const detail =
        'only "object" is allowed as the type at the root of the schema if the status subresource is enabled';
      return [invalid(`${place}.type`, value, detail)];
    }
  }
  return [];
}

/** Why a schema cannot be treated as structural. */
function conversionProblem(schema: Schema): string | undefined {
  if (schema['x-kubernetes-preserve-unknown-fields'] === false)
    return "internal error: 'x-kubernetes-preserve-unknown-fields' must be true or undefined";
  for (const keyword of [
    'id',
    '$schema',
    '$ref',
    'patternProperties',
    'dependencies',
    'additionalItems',
    'definitions',
  ] as const) {
    const value = schema[keyword];
    if (value === undefined || value === '' || (typeof value === 'object' && Object.keys(value).length === 0))
      continue;
    return `OpenAPIV3Schema '${keyword === '$schema' ? 'schema' : keyword}' is not supported`;
  }
  if (Array.isArray(schema.items) && schema.items.length > 0)
    return "OpenAPIV3Schema 'items' must be a schema, but is an array";
  const alternatives = [
    schema.not,
    ...['allOf', 'anyOf', 'oneOf'].flatMap((name) => schema[name as 'allOf'] ?? []),
  ];
  const children = [itemSchema(schema), additionalSchema(schema), ...Object.values(schema.properties ?? {})];
  for (const part of [...alternatives, ...children]) {
    const problem = part && conversionProblem(part);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
