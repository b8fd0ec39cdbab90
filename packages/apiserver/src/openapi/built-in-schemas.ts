import type { ObjectSchema } from 'ots-kubernetes/object-schema';
import type { JsonObject } from '../objects/json-object.ts';

/** The definitions of one document: collects those that its schemas refer to. */
export class BuiltInSchemas {
  readonly #schemas: Record<string, JsonObject> = {};

  /** All definitions so far, by name. */
  get schemas(): Readonly<Record<string, JsonObject>> {
    return this.#schemas;
  }

  /**
   * Adds a definition and all that it refers to.
   *
   * @param extra what the definition says beside
   * @returns a reference to it
   */
  define(schema: ObjectSchema, extra: JsonObject = {}): JsonObject {
    const { definition } = schema;
    if (definition === undefined) return this.#inline(schema);
    if (!Object.hasOwn(this.#schemas, definition)) {
      // Known before its fields are looked at: it may contain itself.
      const own: JsonObject = {};
      this.#schemas[definition] = own;
      Object.assign(own, this.#inline(schema), kindExtensions(schema), extra);
    }
    return { $ref: `#/components/schemas/${definition}` };
  }

  #inline(schema: ObjectSchema): JsonObject {
    const { type, format, required, items, additionalProperties, properties } = schema;
    return {
      ...(schema.intOrString && {
        oneOf: [{ type: 'integer' }, { type: 'string' }],
        format: 'int-or-string',
      }),
      ...(schema.quantity && { oneOf: [{ type: 'string' }, { type: 'number' }] }),
      ...(type && !schema.intOrString && !schema.quantity && { type }),
      ...(format !== undefined && { format }),
      ...(required && { required }),
      ...(schema.enum && { enum: schema.enum }),
      ...(items && { items: this.#field(items) }),
      ...(additionalProperties && { additionalProperties: this.#field(additionalProperties) }),
      ...(properties &&
        properties.size > 0 && {
          properties: Object.fromEntries(
            [...properties].map(([name, property]) => [name, this.#property(property)]),
          ),
        }),
    };
  }

  /** A schema where it is used: what is said of the field stands beside the reference. */
  #field(schema: ObjectSchema): JsonObject {
    if (schema.definition === undefined) return this.#whole(schema);
    const said = fieldExtensions(schema);
    const reference = this.define(schema);
    return Object.keys(said).length === 0 ? reference : { allOf: [reference], ...said };
  }

  /** A field of an object: a reference leaves room for what is said of it. */
  #property(schema: ObjectSchema): JsonObject {
    if (schema.definition === undefined) return this.#whole(schema);
    return { allOf: [this.define(schema)], ...fieldExtensions(schema) };
  }

  #whole(schema: ObjectSchema): JsonObject {
    return { ...this.#inline(schema), ...kindExtensions(schema), ...fieldExtensions(schema) };
  }
}

/** What is said of a type. */
function kindExtensions({ mapType }: ObjectSchema): JsonObject {
  return { ...(mapType && { 'x-kubernetes-map-type': mapType }) };
}

/** What is said of a field of any type. */
function fieldExtensions(schema: ObjectSchema): JsonObject {
  const { listType, listMapKeys, patchStrategy, patchMergeKey } = schema;
  return {
    ...(schema.default !== undefined && { default: schema.default }),
    ...(listType && { 'x-kubernetes-list-type': listType }),
    ...(listMapKeys && { 'x-kubernetes-list-map-keys': listMapKeys }),
    ...(patchStrategy && { 'x-kubernetes-patch-strategy': patchStrategy.join(',') }),
    ...(patchMergeKey !== undefined && { 'x-kubernetes-patch-merge-key': patchMergeKey }),
  };
}
