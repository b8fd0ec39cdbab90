import { type Schema, itemSchema } from '../schema/json-schema.ts';
import { compilePattern } from '../schema/compile-pattern.ts';
import { type FieldError, forbidden, invalid, notSupported, required } from '../status/field-error.ts';
import { validateDefaults } from './validate-defaults.ts';
import { walkSchema } from './walk-schema.ts';

const types = ['array', 'boolean', 'integer', 'number', 'object', 'string'];
const listTypes = ['atomic', 'set', 'map'];
const unsupported = [
  '$ref',
  'id',
  'patternProperties',
  'definitions',
  'dependencies',
  'additionalItems',
] as const;

/**
 * Checks that a schema is structural: every value has a type, and nothing is said of it that pruning could not follow. Like a
 * server it goes step by step: what is wrong with single keywords, with the structure, with defaults.
 * https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions#specifying-a-structural-schema
 *
 * @param path where the schema stands, such as `spec.validation.openAPIV3Schema`
 */
export function validateStructural(schema: Schema, path: string): FieldError[] {
  const keywordErrors = walkSchema(schema, path, validateKeywords);
  if (keywordErrors.length > 0) return keywordErrors;
  const structureErrors = [
    ...validateRoot(schema, path),
    ...walkSchema(schema, path, (node, nodePath) => validateStructure(node, nodePath, nodePath === path)),
  ];
  return structureErrors.length > 0 ? structureErrors : walkSchema(schema, path, validateDefaults);
}

function validateKeywords(schema: Schema, path: string): FieldError[] {
  const { type } = schema;
  return [
    ...(type && !types.includes(type) ? [notSupported(`${path}.type`, type, types)] : []),
    ...unsupported
      .filter((keyword) => schema[keyword] !== undefined)
      .map((keyword) => forbidden(`${path}.${keyword}`, `${keyword} is not supported`)),
    ...(schema.uniqueItems
      ? [
          forbidden(
            `${path}.uniqueItems`,
            'uniqueItems cannot be set to true since the runtime complexity becomes quadratic',
          ),
        ]
      : []),
    ...(Array.isArray(schema.items)
      ? [forbidden(`${path}.items`, 'items must be a schema object and not an array')]
      : []),
    ...validateListType(schema, path),
    ...validateAdditionalProperties(schema, path),
    ...(schema['x-kubernetes-embedded-resource'] &&
    !schema['x-kubernetes-preserve-unknown-fields'] &&
    !schema.properties
      ? [
          required(
            `${path}.properties`,
            'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields',
          ),
        ]
      : []),
  ];
}

function validateListType(schema: Schema, path: string): FieldError[] {
  const listType = schema['x-kubernetes-list-type'];
  const keys = schema['x-kubernetes-list-map-keys'];
  if (listType === undefined) return [];
  return [
    ...(schema.type === 'array'
      ? []
      : [invalid(`${path}.type`, schema.type ?? '', 'must be array if x-kubernetes-list-type is specified')]),
    ...(listTypes.includes(listType)
      ? []
      : [notSupported(`${path}.x-kubernetes-list-type`, listType, listTypes)]),
    ...(listType === 'map' && !keys
      ? [required(`${path}.x-kubernetes-list-map-keys`, 'must not be empty if x-kubernetes-list-type is map')]
      : []),
    ...(listType === 'map' && keys ? validateMapKeys(itemSchema(schema), keys, path) : []),
  ];
}

/** Every key is needed to tell items apart: it is required, or has a default. */
function validateMapKeys(item: Schema | undefined, keys: readonly string[], path: string): FieldError[] {
  const properties = item?.properties ?? {};
  const known = keys.filter((key) => Object.hasOwn(properties, key));
  return [
    ...(known.length === keys.length
      ? []
      : [
          invalid(`${path}.x-kubernetes-list-map-keys`, keys, 'entries must all be names of item properties'),
        ]),
    ...known
      .filter((key) => properties[key]?.default === undefined && !item?.required?.includes(key))
      .map((key) =>
        required(
          `${path}.items.properties[${key}].default`,
          'this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property',
        ),
      ),
  ];
}

function validateAdditionalProperties(schema: Schema, path: string): FieldError[] {
  const hasProperties = Object.keys(schema.properties ?? {}).length > 0;
  if (schema.additionalProperties === undefined || !hasProperties) return [];
  return [
    forbidden(`${path}.additionalProperties`, 'additionalProperties and properties are mutual exclusive'),
  ];
}

function validateRoot(schema: Schema, path: string): FieldError[] {
  const { properties = {}, type } = schema;
  const metadata = Object.hasOwn(properties, 'metadata')
    ? Object.keys(properties['metadata']?.properties ?? {})
    : [];
  return [
    ...(type ? [] : [required(`${path}.type`, 'must not be empty at the root')]),
    ...(type && type !== 'object' ? [invalid(`${path}.type`, type, 'must be object at the root')] : []),
    ...(metadata.every((name) => name === 'name' || name === 'generateName')
      ? []
      : [
          forbidden(
            `${path}.properties[metadata]`,
            'must not specify anything other than name and generateName, but metadata is implicitly specified',
          ),
        ]),
  ];
}

function validateStructure(schema: Schema, path: string, isRoot: boolean): FieldError[] {
  const isOpen =
    schema['x-kubernetes-int-or-string'] === true || schema['x-kubernetes-preserve-unknown-fields'] === true;
  const place = path.endsWith('.items') ? 'array items' : 'object fields';
  return [
    ...(schema.type || isOpen || isRoot
      ? []
      : [required(`${path}.type`, `must not be empty for specified ${place}`)]),
    ...(schema.type === 'array' && !schema.items ? [required(`${path}.items`, 'must be specified')] : []),
    ...validatePattern(schema, path),
    ...alternatives(schema, path).flatMap(([part, partPath]) =>
      validateAlternative(part, partPath, schema['x-kubernetes-int-or-string'] === true),
    ),
  ];
}

function validatePattern({ pattern }: Schema, path: string): FieldError[] {
  if (pattern === undefined) return [];
  try {
    compilePattern(pattern);
    return [];
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return [invalid(`${path}.pattern`, pattern, `must be a valid regular expression, but isn't: ${reason}`)];
  }
}

function alternatives(schema: Schema, path: string): [Schema, string][] {
  return [
    ...(['allOf', 'anyOf', 'oneOf'] as const).flatMap((name) =>
      (schema[name] ?? []).map((part, index): [Schema, string] => [part, `${path}.${name}[${index}]`]),
    ),
    ...(schema.not ? [[schema.not, `${path}.not`] satisfies [Schema, string]] : []),
  ];
}

/** Alternatives may narrow a value down; what it is, its own schema has to say. */
function validateAlternative(part: Schema, path: string, isIntOrString: boolean): FieldError[] {
  const item = itemSchema(part);
  return [
    ...(part.additionalProperties === undefined
      ? []
      : [forbidden(`${path}.additionalProperties`, 'must be undefined to be structural')]),
    ...(part.default === undefined
      ? []
      : [forbidden(`${path}.default`, 'must be undefined to be structural')]),
    ...(part.description ? [forbidden(`${path}.description`, 'must be empty to be structural')] : []),
    ...(part.nullable ? [forbidden(`${path}.nullable`, 'must be false to be structural')] : []),
    ...(part.type && !isIntOrString ? [forbidden(`${path}.type`, 'must be empty to be structural')] : []),
    ...validatePattern(part, path),
    ...Object.entries(part.properties ?? {}).flatMap(([name, property]) =>
      validateAlternative(property, `${path}.properties[${name}]`, false),
    ),
    ...(item ? validateAlternative(item, `${path}.items`, false) : []),
    ...alternatives(part, path).flatMap(([inner, innerPath]) =>
      validateAlternative(inner, innerPath, isIntOrString),
    ),
  ];
}
