/** How a strategic merge patch treats a field. */
export type PatchStrategy = 'merge' | 'replace' | 'retainKeys';

/**
 * What an API server knows of a value of a built-in kind, as its OpenAPI v3 document says it. A field has the attributes of
 * the definition that it refers to, and its own on top. Schemas are made when they are asked for, and may contain themselves
 * (JSONSchemaProps): walk them along a value, never to their end. Read an attribute to see whether it is there: one that is
 * absent may be a property that is undefined, and one that is present may be inherited, which a copy would lack.
 */
export interface ObjectSchema {
  /** Absent where a value can be of several types: see `intOrString` and `quantity`; or of any. */
  readonly type?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean' | undefined;
  readonly format?: string | undefined;
  readonly intOrString?: true | undefined;
  /** A resource.Quantity: a string, or a number that becomes one. */
  readonly quantity?: true | undefined;
  /** The fields, by name; empty where an object can have none. */
  readonly properties?: ReadonlyMap<string, ObjectSchema> | undefined;
  readonly required?: readonly string[] | undefined;
  readonly items?: ObjectSchema | undefined;
  readonly additionalProperties?: ObjectSchema | undefined;
  /** What the document says; list map keys have it where items lack them. It is shared: copy it. */
  readonly default?: unknown;
  /**
   * What an API server writes where the object that it accepts lacks the field: the default; the zero value of Go (`{}`, `""`,
   * `0`, `false`; `null` of lists, maps and times), unless Go omits it; undefined where it writes nothing. Defaults that
   * depend on other fields are not in it. It is shared: copy it.
   */
  readonly whenAbsent?: unknown;
  readonly enum?: readonly string[] | undefined;
  readonly listType?: 'atomic' | 'set' | 'map' | undefined;
  readonly listMapKeys?: readonly string[] | undefined;
  readonly mapType?: 'atomic' | 'granular' | undefined;
  readonly patchStrategy?: readonly PatchStrategy[] | undefined;
  readonly patchMergeKey?: string | undefined;
  /** Any fields are kept (RawExtension, FieldsV1, JSON). */
  readonly preserveUnknownFields?: true | undefined;
  /** The name of the definition, such as `PodSpec`, where it has one. */
  readonly name?: string | undefined;
  /** The full name of the definition, such as `io.k8s.api.core.v1.PodSpec`: two groups may have a definition of the same name. */
  readonly definition?: string | undefined;
}
