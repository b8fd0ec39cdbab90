import type { ObjectSchema } from 'ots-kubernetes/object-schema';
import type { JsonObject } from '../json/json-object.ts';
import { describeField } from './describe-field.ts';
import { type OpenApiVersion, describedReference, referenceTo } from './openapi-version.ts';

/** The definitions of one document: collects those that its schemas refer to. */
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

  /** A schema where it is used: what is said of the field stands beside the reference. */
  #field(schema: ObjectSchema): JsonObject {
    if (schema.definition === undefined) return this.#whole(schema);
    const said = this.#fieldExtensions(schema);
    const reference = this.define(schema);
    return Object.keys(said).length === 0 ? reference : describedReference(reference, said, this.#version);
  }

  /** A field of an object: a reference leaves room for what is said of it. */
  #property(schema: ObjectSchema, description: string | undefined): JsonObject {
    const text = description === undefined ? {} : { description };
    if (schema.definition === undefined) return { ...text, ...this.#whole(schema) };
    const said = { ...text, ...this.#fieldExtensions(schema) };
    return describedReference(this.define(schema), said, this.#version);
  }

  #whole(schema: ObjectSchema): JsonObject {
    return { ...this.#inline(schema), ...kindExtensions(schema), ...this.#fieldExtensions(schema) };
  }

  /** What is said of a field of any type. Version 2 tells no defaults. */
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

/** What is said of a type. */
function kindExtensions({ mapType }: ObjectSchema): JsonObject {
  return { ...(mapType && { 'x-kubernetes-map-type': mapType }) };
}
