import { type Schema, additionalSchema, itemSchema } from '../../schema/json-schema.ts';
import { type FieldError, forbidden } from '../../status/field-error.ts';
import { validatePattern } from './validate-pattern.ts';

/** Keywords that only the schema of the value itself may have, and the error otherwise: `must be … to be structural`. */
const forbiddenKeywords = [
  ['type', 'empty'],
  ['default', 'undefined'],
  ['title', 'empty'],
  ['description', 'empty'],
  ['nullable', 'false'],
  ['x-kubernetes-preserve-unknown-fields', 'false'],
  ['x-kubernetes-embedded-resource', 'false'],
  ['x-kubernetes-int-or-string', 'false'],
  ['x-kubernetes-list-map-keys', 'empty'],
  ['x-kubernetes-list-type', 'undefined'],
  ['x-kubernetes-map-type', 'undefined'],
  ['x-kubernetes-validations', 'empty'],
] as const;

/** Validates one alternative (in allOf, anyOf, oneOf, not). It may only restrict a value; its type belongs to its own schema. */
export function validateAlternative(part: Schema, path: string): FieldError[] {
  const item = itemSchema(part);
  const { additionalProperties } = part;
  return [
    ...forbiddenKeywords
      .filter(([keyword]) => isSet(part[keyword]))
      .map(([keyword, wanted]) => forbidden(`${path}.${keyword}`, `must be ${wanted} to be structural`)),
    ...(additionalProperties === true || additionalSchema(part)
      ? [forbidden(`${path}.additionalProperties`, 'must be undefined to be structural')]
      : []),
    ...validatePattern(part, path),
    ...Object.entries(part.properties ?? {}).flatMap(([name, property]) =>
      validateAlternative(property, `${path}.properties[${name}]`),
    ),
    ...(part.properties && Object.hasOwn(part.properties, 'metadata')
      ? [forbidden(`${path}.properties[metadata]`, 'must not be specified in a nested context')]
      : []),
    ...(item ? validateAlternative(item, `${path}.items`) : []),
    ...(['allOf', 'anyOf', 'oneOf'] as const).flatMap((name) =>
      (part[name] ?? []).flatMap((inner, index) => validateAlternative(inner, `${path}.${name}[${index}]`)),
    ),
    ...(part.not ? validateAlternative(part.not, `${path}.not`) : []),
  ];
}

function isSet(value: unknown): boolean {
  return (
    value !== undefined && value !== false && value !== '' && !(Array.isArray(value) && value.length === 0)
  );
}
