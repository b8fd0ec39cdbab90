import { type Schema, additionalSchema, itemSchema } from '../schema/json-schema.ts';
import { applyDefaults } from '../schema/apply-defaults.ts';
import { prune } from '../schema/prune.ts';
import { compilePattern, validate } from '../schema/validate.ts';
import { type FieldError, forbidden, invalid, notSupported, required } from '../status/field-error.ts';

const types = ['array', 'boolean', 'integer', 'number', 'object', 'string'];
const listTypes = ['atomic', 'map', 'set'];
const unsupported = [
  '$ref',
  'id',
  'patternProperties',
  'definitions',
  'dependencies',
  'additionalItems',
] as const;

/**
 * Checks that a schema is structural: every value has a type, and nothing is said of it that pruning could not follow.
 * https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions#specifying-a-structural-schema
 *
 * @param path where the schema stands, such as `spec.validation.openAPIV3Schema`
 */
export function validateStructural(schema: Schema, path: string): FieldError[] {
  const isObjectType = schema.type === 'object';
  return [
    ...(isObjectType
      ? []
      : [
          schema.type
            ? invalid(`${path}.type`, schema.type, 'must be object at the root')
            : required(`${path}.type`, 'must not be empty at the root'),
        ]),
    ...validateNode(schema, path, true),
  ];
}

function validateNode(schema: Schema, path: string, isRoot = false): FieldError[] {
  return [
    ...(isRoot ? [] : validateType(schema, path)),
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
    ...validatePattern(schema, path),
    ...validateCombinations(schema, path),
    ...validateList(schema, path),
    ...validateProperties(schema, path),
    ...validateDefault(schema, path),
  ];
}

function validateType(schema: Schema, path: string): FieldError[] {
  const isOpen =
    schema['x-kubernetes-int-or-string'] === true || schema['x-kubernetes-preserve-unknown-fields'] === true;
  if (schema.type === undefined || schema.type === '') {
    return isOpen
      ? []
      : [
          required(
            `${path}.type`,
            `must not be empty for specified ${path.endsWith(']') ? 'object fields' : 'array items'}`,
          ),
        ];
  }
  return types.includes(schema.type) ? [] : [notSupported(`${path}.type`, schema.type, types)];
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

/** Alternatives may narrow a value down; they may not give it a type, a default or a description. */
function validateCombinations(schema: Schema, path: string): FieldError[] {
  const parts: [string, Schema][] = [
    ...(['allOf', 'anyOf', 'oneOf'] as const).flatMap((name) =>
      (schema[name] ?? []).map((part, index): [string, Schema] => [`${path}.${name}[${index}]`, part]),
    ),
    ...(schema.not ? [[`${path}.not`, schema.not] satisfies [string, Schema]] : []),
  ];
  const isIntOrString = schema['x-kubernetes-int-or-string'] === true;
  return parts.flatMap(([partPath, part]) => validatePart(part, partPath, isIntOrString));
}

function validatePart(part: Schema, path: string, isIntOrString: boolean): FieldError[] {
  return [
    ...(part.type && !isIntOrString ? [forbidden(`${path}.type`, 'must be empty to be structural')] : []),
    ...(part.default === undefined
      ? []
      : [forbidden(`${path}.default`, 'must be undefined to be structural')]),
    ...(part.description ? [forbidden(`${path}.description`, 'must be empty to be structural')] : []),
    ...(part.nullable ? [forbidden(`${path}.nullable`, 'must be false to be structural')] : []),
    ...(part.additionalProperties === undefined
      ? []
      : [forbidden(`${path}.additionalProperties`, 'must be undefined to be structural')]),
    ...validatePattern(part, path),
    ...Object.entries(part.properties ?? {}).flatMap(([name, property]) =>
      validatePart(property, `${path}.properties[${name}]`, false),
    ),
  ];
}

function validateList(schema: Schema, path: string): FieldError[] {
  const listType = schema['x-kubernetes-list-type'];
  const item = itemSchema(schema);
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  return [
    ...(schema.type === 'array' && !schema.items ? [required(`${path}.items`, 'must be specified')] : []),
    ...(Array.isArray(schema.items)
      ? [forbidden(`${path}.items`, 'items must be a schema object and not an array')]
      : []),
    ...(listType !== undefined && schema.type !== 'array'
      ? [invalid(`${path}.type`, schema.type ?? '', 'must be array if x-kubernetes-list-type is specified')]
      : []),
    ...(listType !== undefined && !listTypes.includes(listType)
      ? [notSupported(`${path}.x-kubernetes-list-type`, listType, listTypes)]
      : []),
    ...(listType === 'map' && keys.length === 0
      ? [required(`${path}.x-kubernetes-list-map-keys`, 'must not be empty if x-kubernetes-list-type is map')]
      : []),
    ...(listType === 'map' && item ? validateMapKeys(item, keys, path) : []),
    ...(item ? validateNode(item, `${path}.items`) : []),
  ];
}

/** Every key is needed to tell items apart: it is required, or has a default. */
function validateMapKeys(item: Schema, keys: readonly string[], path: string): FieldError[] {
  return keys.flatMap((key) => {
    const property =
      item.properties && Object.hasOwn(item.properties, key) ? item.properties[key] : undefined;
    if (!property) {
      return [
        invalid(`${path}.x-kubernetes-list-map-keys`, key, 'entries must all be names of item properties'),
      ];
    }
    if (property.default !== undefined || item.required?.includes(key)) return [];
    return [
      required(
        `${path}.items.properties[${key}].default`,
        'this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property',
      ),
    ];
  });
}

function validateProperties(schema: Schema, path: string): FieldError[] {
  const additional = additionalSchema(schema);
  const both =
    schema.properties &&
    Object.keys(schema.properties).length > 0 &&
    schema.additionalProperties !== undefined;
  return [
    ...(both && schema.additionalProperties !== false
      ? [
          forbidden(
            `${path}.additionalProperties`,
            'additionalProperties and properties are mutual exclusive',
          ),
        ]
      : []),
    ...(schema.additionalProperties === false
      ? [forbidden(`${path}.additionalProperties`, 'additionalProperties cannot be set to false')]
      : []),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, property]) =>
      validateNode(property, `${path}.properties[${name}]`),
    ),
    ...(additional ? validateNode(additional, `${path}.additionalProperties`) : []),
  ];
}

/** A default is a value of its own schema, and has no fields that would be pruned. */
function validateDefault(schema: Schema, path: string): FieldError[] {
  if (schema.default === undefined) return [];
  const value: unknown = structuredClone(schema.default);
  applyDefaults(value, schema);
  const pruned: string[] = [];
  prune(structuredClone(schema.default), { ...schema, 'x-kubernetes-embedded-resource': false }, pruned);
  return [
    ...(pruned.length > 0
      ? [invalid(`${path}.default`, schema.default, 'must not have unknown fields')]
      : []),
    ...validate(value, schema, `${path}.default`),
  ];
}
