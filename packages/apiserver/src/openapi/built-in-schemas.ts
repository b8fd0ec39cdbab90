import type { ObjectSchema } from 'ots-kubernetes/object-schema';
import type { JsonObject } from '../json/json-object.ts';
import { describeField } from './describe-field.ts';
import { type OpenApiVersion, describedReference, referenceTo } from './openapi-version.ts';

/** Collects the definitions that the schemas of one document refer to. */
export class BuiltInSchemas {
  readonly #schemas: Record<string, JsonObject> = {};
  readonly #version: OpenApiVersion;

  constructor(version: OpenApiVersion) {
    this.#version = version;
  }

  /** All definitions so far, by name. */
  get schemas(): Readonly<Record<string, JsonObject>> {
    return this.#schemas;
  }

  /**
   * Adds a definition and everything it refers to.
   *
   * @param extra additional members of the definition
   * @returns a reference to it
   */
  define(schema: ObjectSchema, extra: JsonObject = {}): JsonObject {
    const { definition } = schema;
    if (definition === undefined) return this.#inline(schema);
    if (!Object.hasOwn(this.#schemas, definition)) {
      // Registered before its fields are visited: it may contain itself.
      const own: JsonObject = {};
      this.#schemas[definition] = own;
      Object.assign(own, this.#inline(schema), kindExtensions(schema), extra);
    }
    return referenceTo(definition, this.#version);
  }

  #inline(schema: ObjectSchema): JsonObject {
    const { format, required, items, additionalProperties, properties } = schema;
    return {
      ...this.#typeOf(schema),
      ...(format !== undefined && { format }),
      ...(required && { required }),
      ...(schema.enum && { enum: schema.enum }),
      ...(items && { items: this.#field(items) }),
      ...(additionalProperties && { additionalProperties: this.#field(additionalProperties) }),
      ...(properties &&
        properties.size > 0 && {
          properties: Object.fromEntries(
            [...properties].map(([name, property]) => [
              name,
              this.#property(property, describeField(schema.name, name, properties)),
            ]),
          ),
        }),
    };
  }

  /** Version 2 has no alternatives. */
  #typeOf({ type, intOrString, quantity }: ObjectSchema): JsonObject {
    const isSwagger = this.#version === 2;
    if (intOrString) {
      const format = 'int-or-string';
      return isSwagger
        ? { type: 'string', format }
        : { oneOf: [{ type: 'integer' }, { type: 'string' }], format };
    }
    if (quantity) return isSwagger ? { type: 'string' } : { oneOf: [{ type: 'string' }, { type: 'number' }] };
    return type ? { type } : {};
  }

  /** The schema of a field: the description stands beside the reference. */
  #field(schema: ObjectSchema): JsonObject {
    if (schema.definition === undefined) return this.#whole(schema);
    const extras = this.#fieldExtensions(schema);
    const reference = this.define(schema);
    return Object.keys(extras).length === 0
      ? reference
      : describedReference(reference, extras, this.#version);
  }

  /** A field of an object: a reference is wrapped to leave room for a description. */
  #property(schema: ObjectSchema, description: string | undefined): JsonObject {
    const text = description === undefined ? {} : { description };
    if (schema.definition === undefined) return { ...text, ...this.#whole(schema) };
    const extras = { ...text, ...this.#fieldExtensions(schema) };
    return describedReference(this.define(schema), extras, this.#version);
  }

  #whole(schema: ObjectSchema): JsonObject {
    return { ...this.#inline(schema), ...kindExtensions(schema), ...this.#fieldExtensions(schema) };
  }

  /** The extensions of a field of any type. Version 2 has no defaults. */
  #fieldExtensions(schema: ObjectSchema): JsonObject {
    const { listType, listMapKeys, patchStrategy, patchMergeKey } = schema;
    return {
      ...(schema.default !== undefined && this.#version === 3 && { default: schema.default }),
      ...(listType && { 'x-kubernetes-list-type': listType }),
      ...(listMapKeys && { 'x-kubernetes-list-map-keys': listMapKeys }),
      ...(patchStrategy && { 'x-kubernetes-patch-strategy': patchStrategy.join(',') }),
      ...(patchMergeKey !== undefined && { 'x-kubernetes-patch-merge-key': patchMergeKey }),
    };
  }
}

/** The extensions of a kind. */
function kindExtensions({ mapType }: ObjectSchema): JsonObject {
  return { ...(mapType && { 'x-kubernetes-map-type': mapType }) };
}
