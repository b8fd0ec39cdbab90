/** How a strategic merge patch treats a field. */
export type PatchStrategy = 'merge' | 'replace' | 'retainKeys';

/**
 * What an API server knows about a value of a built-in kind, from its OpenAPI v3 document. A field has the
 * attributes of the definition that it refers to, overridden by its own. Schemas are created on demand, and may
 * contain themselves (JSONSchemaProps): walk them along a value, never exhaustively. Read an attribute to see
 * whether it is present: an absent one may be a property that is undefined, and a present one may be inherited,
 * which a copy would lack.
 */
export interface ObjectSchema {
  /** Absent where a value can have several types (see `intOrString` and `quantity`) or any type. */
  readonly type?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean' | undefined;
  readonly format?: string | undefined;
  readonly intOrString?: true | undefined;
  /** A resource.Quantity: a string, or a number that is converted to one. */
  readonly quantity?: true | undefined;
  /** The fields, by name; empty where an object cannot have any. */
  readonly properties?: ReadonlyMap<string, ObjectSchema> | undefined;
  readonly required?: readonly string[] | undefined;
  readonly items?: ObjectSchema | undefined;
  readonly additionalProperties?: ObjectSchema | undefined;
  /** The default in the document. List map keys have it where items may omit them. It is shared: copy it. */
  readonly default?: unknown;
  /**
   * What an API server writes when an accepted object lacks the field: the default; the zero value of Go (`{}`,
   * `""`, `0`, `false`; `null` for lists, maps and times), unless Go omits it; undefined where it writes nothing.
   * Does not include defaults that depend on other fields. It is shared: copy it.
   */
  readonly whenAbsent?: unknown;
  readonly enum?: readonly string[] | undefined;
  readonly listType?: 'atomic' | 'set' | 'map' | undefined;
  readonly listMapKeys?: readonly string[] | undefined;
  readonly mapType?: 'atomic' | 'granular' | undefined;
  readonly patchStrategy?: readonly PatchStrategy[] | undefined;
  readonly patchMergeKey?: string | undefined;
  /** Whether arbitrary fields are kept (RawExtension, FieldsV1, JSON). */
  readonly preserveUnknownFields?: true | undefined;
  /** The name of the definition, such as `PodSpec`, if it has one. */
  readonly name?: string | undefined;
  /** The full name of the definition, such as `io.k8s.api.core.v1.PodSpec`: two groups may have a definition of the same name. */
  readonly definition?: string | undefined;
}
