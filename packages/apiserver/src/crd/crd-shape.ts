import type { Shape, Struct } from '../objects/decode-fields.ts';

const strings: Shape = { list: 'string' };

/** A schema. It holds schemas, so its fields are made when they are asked for, once. */
const schema: Struct = { type: 'JSONSchemaProps', fields: () => (schemaFields ??= makeSchemaFields()) };
let schemaFields: Record<string, Shape> | undefined;

function makeSchemaFields(): Record<string, Shape> {
  const texts = ['$ref', '$schema', 'description', 'format', 'id', 'pattern', 'title', 'type'];
  const integers = ['maxItems', 'maxLength', 'maxProperties', 'minItems', 'minLength', 'minProperties'];
  const numbers = ['maximum', 'minimum', 'multipleOf'];
  const switches = ['exclusiveMaximum', 'exclusiveMinimum', 'nullable', 'uniqueItems'];
  const extensionSwitches = ['embedded-resource', 'int-or-string', 'preserve-unknown-fields'];
  return Object.fromEntries([
    ...all(texts, 'string'),
    ...all(integers, 'integer'),
    ...all(numbers, 'number'),
    ...all([...switches, ...extensionSwitches.map((name) => `x-kubernetes-${name}`)], 'boolean'),
    ...all(['allOf', 'anyOf', 'oneOf'], { list: schema }),
    ...all(['definitions', 'patternProperties', 'properties'], { map: schema }),
    ...all(['additionalItems', 'additionalProperties'], { either: schema, or: 'boolean' }),
    ...all(['default', 'example'], 'any'),
    ...all(['required', 'x-kubernetes-list-map-keys'], strings),
    ...all(['x-kubernetes-list-type', 'x-kubernetes-map-type'], 'string'),
    ['dependencies', { map: { either: schema, or: strings } }],
    ['enum', { list: 'any' }],
    ['externalDocs', 'object'],
    ['items', { either: schema, or: { list: schema } }],
    ['not', schema],
    ['x-kubernetes-validations', { list: 'object' }],
  ]);
}

function all(fields: readonly string[], shape: Shape): [string, Shape][] {
  return fields.map((field) => [field, shape]);
}

const names: Struct = {
  type: 'CustomResourceDefinitionNames',
  fields: () => ({
    plural: 'string',
    singular: 'string',
    kind: 'string',
    listKind: 'string',
    shortNames: strings,
    categories: strings,
  }),
};

const scale: Struct = {
  type: 'CustomResourceSubresourceScale',
  fields: () => ({ specReplicasPath: 'string', statusReplicasPath: 'string', labelSelectorPath: 'string' }),
};

const column: Struct = {
  type: 'CustomResourceColumnDefinition',
  fields: () => ({
    name: 'string',
    type: 'string',
    format: 'string',
    description: 'string',
    priority: 'integer',
    jsonPath: 'string',
  }),
};

const version: Struct = {
  type: 'CustomResourceDefinitionVersion',
  fields: () => ({
    name: 'string',
    served: 'boolean',
    storage: 'boolean',
    deprecated: 'boolean',
    deprecationWarning: 'string',
    schema: { type: 'CustomResourceValidation', fields: () => ({ openAPIV3Schema: schema }) },
    subresources: { type: 'CustomResourceSubresources', fields: () => ({ status: 'object', scale }) },
    additionalPrinterColumns: { list: column },
    selectableFields: { list: { type: 'SelectableField', fields: () => ({ jsonPath: 'string' }) } },
  }),
};

/** What the `spec` of a CustomResourceDefinition may hold. */
export const crdSpec: Struct = {
  type: 'CustomResourceDefinitionSpec',
  fields: () => ({
    group: 'string',
    names,
    scope: 'string',
    versions: { list: version },
    conversion: {
      type: 'CustomResourceConversion',
      fields: () => ({ strategy: 'string', webhook: 'object' }),
    },
    preserveUnknownFields: 'boolean',
  }),
};
