import { appendAll } from '../../json/append-all.ts';
import { type Schema, additionalSchema, itemSchema } from '../../schema/json-schema.ts';
import { type FieldError, forbidden, invalid, notSupported } from '../../status/field-error.ts';
import { validateListKeywords } from './validate-list-keywords.ts';
import { validateMapType } from './validate-map-type.ts';
import { validateRuleTexts } from './validate-rule-texts.ts';

const types = ['array', 'boolean', 'integer', 'number', 'object', 'string'];
const unsupported = [
  '$ref',
  'id',
  'patternProperties',
  'definitions',
  'dependencies',
  'additionalItems',
] as const;
const typeFields = new Set(['apiVersion', 'kind', 'metadata']);

/** An error in the keywords of a schema. */
export interface KeywordFault {
  /** The path of the schema; the error may name a part of it. */
  readonly at: string;
  readonly error: FieldError;
}

/** The position of a schema among others. */
interface Place {
  readonly path: string;
  readonly isRoot: boolean;
  /** Whether it describes apiVersion, kind or metadata of an object. */
  readonly inMeta: boolean;
  /** Why a default is not allowed. */
  readonly noDefault?: string;
  readonly sound: WeakSet<Schema> | undefined;
}

/**
 * Validates the keywords of a schema and of all nested schemas, including alternatives.
 *
 * @param path the path of the schema, such as `spec.validation.openAPIV3Schema`
 * @param sound the nested schemas that are known to have no errors, and receives those that have none
 */
export function validateKeywords(schema: Schema, path: string, sound?: WeakSet<Schema>): KeywordFault[] {
  const faults: KeywordFault[] = [];
  visit(schema, { path, isRoot: true, inMeta: false, sound }, faults);
  return faults;
}

function visit(schema: Schema, place: Place, faults: KeywordFault[]): void {
  // The errors of other schemas depend on what they are part of.
  const sound = place.isRoot || place.inMeta ? undefined : place.sound;
  if (sound?.has(schema)) return;
  const count = faults.length;
  visitParts(schema, place, faults);
  if (faults.length === count) sound?.add(schema);
}

function visitParts(schema: Schema, place: Place, faults: KeywordFault[]): void {
  const { path } = place;
  const errors = [
    ...validateUnsupported(schema, place),
    ...validateAdditionalProperties(schema, path),
    ...validateMapType(schema, path),
    ...validateListKeywords(schema, path),
    ...validateRuleTexts(schema, path),
  ];
  appendAll(
    faults,
    errors.map((error) => ({ at: path, error })),
  );
  const inner = { ...place, isRoot: false };
  const visitAt = (child: Schema | undefined, name: string) =>
    child && visit(child, { ...inner, path: `${path}.${name}` }, faults);
  const additional = additionalSchema(schema);
  if (additional) {
    const reason = 'inside additionalProperties applying to object metadata';
    visit(
      additional,
      { ...inner, path: `${path}.additionalProperties`, ...(place.inMeta && { noDefault: reason }) },
      faults,
    );
  }
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const isMeta =
      typeFields.has(name) && (place.isRoot || schema['x-kubernetes-embedded-resource'] === true);
    visit(
      property,
      {
        ...inner,
        path: `${path}.properties[${name}]`,
        inMeta: place.inMeta || isMeta,
        ...(isMeta && place.isRoot && { noDefault: `in top-level ${name}` }),
      },
      faults,
    );
  }
  visitAt(schema.not, 'not');
  for (const name of ['allOf', 'oneOf', 'anyOf'] as const)
    for (const [index, part] of (schema[name] ?? []).entries()) visitAt(part, `${name}[${index}]`);
  for (const [name, part] of Object.entries(schema.definitions ?? {})) visitAt(part, `definitions[${name}]`);
  visitAt(itemSchema(schema), 'items');
  if (Array.isArray(schema.items))
    for (const [index, part] of schema.items.entries()) visitAt(part, `items[${index}]`);
}

function validateUnsupported(schema: Schema, { path, inMeta, noDefault }: Place): FieldError[] {
  const { type } = schema;
  return [
    ...(type && !types.includes(type) ? [notSupported(`${path}.type`, type, types)] : []),
    ...(schema.default !== undefined && noDefault !== undefined
      ? [forbidden(`${path}.default`, `must not be set ${noDefault}`)]
      : []),
    ...unsupported
      .filter((keyword) => isSet(schema[keyword]))
      .map((keyword) => forbidden(`${path}.${keyword}`, `${keyword} is not supported`)),
    ...(type === 'null'
      ? [forbidden(`${path}.type`, 'type cannot be set to null, use nullable as an alternative')]
      : []),
    ...(Array.isArray(schema.items) && schema.items.length > 0
      ? [forbidden(`${path}.items`, 'items must be a schema object and not an array')]
      : []),
    ...(inMeta && schema['x-kubernetes-embedded-resource']
      ? [forbidden(`${path}.x-kubernetes-embedded-resource`, 'must not be used inside of resource meta')]
      : []),
    ...(schema.uniqueItems
      ? [
          forbidden(
            `${path}.uniqueItems`,
            'uniqueItems cannot be set to true since the runtime complexity becomes quadratic',
          ),
        ]
      : []),
    ...(schema['x-kubernetes-preserve-unknown-fields'] === false
      ? [invalid(`${path}.x-kubernetes-preserve-unknown-fields`, false, 'must be true or undefined')]
      : []),
  ];
}

/** An empty id, and empty definitions, count as absent. */
function isSet(value: unknown): boolean {
  if (value === undefined || value === '') return false;
  return typeof value !== 'object' || value === null || Object.keys(value).length > 0;
}

function validateAdditionalProperties(schema: Schema, path: string): FieldError[] {
  const { additionalProperties, properties = {} } = schema;
  if (additionalProperties === undefined || additionalProperties === true) return [];
  if (Object.keys(properties).length === 0) return [];
  return [
    forbidden(`${path}.additionalProperties`, 'additionalProperties and properties are mutual exclusive'),
  ];
}
