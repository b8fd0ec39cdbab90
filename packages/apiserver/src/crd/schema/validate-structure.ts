import { jsonEqual } from '../../json/json-equal.ts';
import { type Schema, additionalSchema, itemSchema } from '../../schema/json-schema.ts';
import { type FieldError, forbidden, invalid, required } from '../../status/field-error.ts';
import { validateAlternative } from './validate-alternative.ts';
import { wrongType } from './validate-map-type.ts';
import { validatePattern } from './validate-pattern.ts';

type Level = 'root' | 'item' | 'field';

const intOrString = [{ type: 'integer' }, { type: 'string' }];
const missingType: Record<Level, string> = {
  root: 'must not be empty at the root',
  item: 'must not be empty for specified array items',
  field: 'must not be empty for specified object fields',
};

/**
 * Checks that a schema is structural: every value has a type, and no keyword prevents pruning.
 * https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions#specifying-a-structural-schema
 *
 * @param path the path of the schema, such as `spec.validation.openAPIV3Schema`
 * @param sound the nested schemas that are known to be structural, and receives those that are
 */
export function validateStructure(
  schema: Schema,
  path: string,
  sound?: WeakSet<Schema>,
  level: Level = 'root',
): FieldError[] {
  if (level !== 'root' && sound?.has(schema)) return [];
  const errors = structureErrors(schema, path, sound, level);
  if (level !== 'root' && errors.length === 0) sound?.add(schema);
  return errors;
}

function structureErrors(
  schema: Schema,
  path: string,
  sound: WeakSet<Schema> | undefined,
  level: Level,
): FieldError[] {
  const item = itemSchema(schema);
  const additional = additionalSchema(schema);
  return [
    ...(schema.type === 'array' && !schema.items ? [required(`${path}.items`, 'must be specified')] : []),
    ...(item ? validateStructure(item, `${path}.items`, sound, 'item') : []),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, property]) =>
      validateStructure(property, `${path}.properties[${name}]`, sound, 'field'),
    ),
    ...(schema.additionalProperties !== undefined && level === 'root'
      ? [forbidden(`${path}.additionalProperties`, 'must not be used at the root')]
      : []),
    ...(additional ? validateStructure(additional, `${path}.additionalProperties`, sound, 'field') : []),
    ...validateExtensions(schema, path),
    ...validateValueValidation(schema, path),
    ...validateType(schema, path, level),
    ...validateMeta(schema, path, level),
  ];
}

function validateExtensions(schema: Schema, path: string): FieldError[] {
  if (!schema['x-kubernetes-int-or-string']) return [];
  return ['x-kubernetes-preserve-unknown-fields' as const, 'x-kubernetes-embedded-resource' as const]
    .filter((name) => schema[name])
    .map((name) => invalid(`${path}.${name}`, true, 'must be false if x-kubernetes-int-or-string is true'));
}

/** Alternatives may distinguish integers from strings only in one place: where they express `x-kubernetes-int-or-string`. */
function validateValueValidation(schema: Schema, path: string): FieldError[] {
  const isIntOrString = jsonEqual(schema.anyOf, intOrString);
  const { anyOf, ...rest } = schema.allOf?.[0] ?? {};
  const first = jsonEqual(anyOf, intOrString) ? { ...rest } : schema.allOf?.[0];
  return [
    ...(isIntOrString ? [] : parts(schema.anyOf, `${path}.anyOf`)),
    ...parts(schema.allOf && first && [first, ...schema.allOf.slice(1)], `${path}.allOf`),
    ...parts(schema.oneOf, `${path}.oneOf`),
    ...(schema.not ? validateAlternative(schema.not, `${path}.not`) : []),
    ...validatePattern(schema, path),
  ];
}

function parts(schemas: readonly Schema[] | undefined, path: string): FieldError[] {
  return (schemas ?? []).flatMap((part, index) => validateAlternative(part, `${path}[${index}]`));
}

function validateType(schema: Schema, path: string, level: Level): FieldError[] {
  const { type } = schema;
  const isEmbedded = schema['x-kubernetes-embedded-resource'] === true;
  const isOpen = schema['x-kubernetes-preserve-unknown-fields'] === true;
  const errors: FieldError[] = [];
  if (isEmbedded && type !== 'object') {
    const detail = 'must be object if x-kubernetes-embedded-resource is true';
    errors.push(wrongType(type, `${path}.type`, detail));
  } else if (!type && !isOpen && schema['x-kubernetes-int-or-string'] !== true) {
    errors.push(required(`${path}.type`, missingType[level]));
  }
  if (isEmbedded && schema.additionalProperties !== undefined) {
    const detail = 'must not be used if x-kubernetes-embedded-resource is set';
    errors.push(forbidden(`${path}.additionalProperties`, detail));
  }
  if (level === 'root' && type && type !== 'object')
    errors.push(invalid(`${path}.type`, type, 'must be object at the root'));
  if (isEmbedded && !isOpen && Object.keys(schema.properties ?? {}).length === 0) {
    const detail =
      'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields';
    errors.push(required(`${path}.properties`, detail));
  }
  return errors;
}

/** Of the metadata, a schema may restrict only names. */
function validateMeta(schema: Schema, path: string, level: Level): FieldError[] {
  if (level !== 'root' && !schema['x-kubernetes-embedded-resource']) return [];
  const properties = schema.properties ?? {};
  const strings = ['kind', 'apiVersion']
    .filter((name) => Object.hasOwn(properties, name) && properties[name]?.type !== 'string')
    .map((name) =>
      invalid(`${path}.properties[${name}].type`, properties[name]?.type ?? '', 'must be string'),
    );
  const metadata = Object.hasOwn(properties, 'metadata') ? properties['metadata'] : undefined;
  if (!metadata) return strings;
  const place = `${path}.properties[metadata]`;
  return [
    ...strings,
    ...(metadata.type === 'object' ? [] : [invalid(`${place}.type`, metadata.type ?? '', 'must be object')]),
    ...(level === 'root' && !restrictsNamesOnly(metadata)
      ? [
          forbidden(
            place,
            'must not specify anything other than name and generateName, but metadata is implicitly specified',
          ),
        ]
      : []),
  ];
}

function restrictsNamesOnly({ type: _type, default: _default, properties = {}, ...rest }: Schema): boolean {
  return (
    Object.keys(properties).every((name) => name === 'name' || name === 'generateName') &&
    Object.values(rest).every((value) => value === undefined || value === false || value === '')
  );
}
