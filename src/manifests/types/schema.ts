/** A value that YAML and JSON can hold. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** The part of a structural schema (apiextensions.k8s.io/v1 JSONSchemaProps) that is generated. */
export interface Schema {
  type?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean';
  format?: string;
  description?: string;
  nullable?: true;
  default?: Json;
  example?: Json;
  enum?: Json[];
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: true;
  exclusiveMaximum?: true;
  multipleOf?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  minItems?: number;
  maxItems?: number;
  items?: Schema;
  /** A map, because a property may be called `__proto__`. */
  properties?: Map<string, Schema>;
  required?: string[];
  additionalProperties?: Schema;
  anyOf?: { type: 'integer' | 'string' }[];
  'x-kubernetes-int-or-string'?: true;
  'x-kubernetes-list-type'?: string;
  'x-kubernetes-list-map-keys'?: string[];
  'x-kubernetes-map-type'?: string;
}

/** Makes null a legal value. An enum must list it too, or the API server refuses it. */
export function makeNullable(schema: Schema): Schema {
  if (!schema.enum || schema.enum.includes(null)) return { ...schema, nullable: true };
  return { ...schema, nullable: true, enum: [...schema.enum, null] };
}

/** What a schema describes, in the words of an error message. */
export function describeSchema(schema: Schema): string {
  if (schema['x-kubernetes-int-or-string']) return 'an integer or string';
  if (schema.type === 'integer' || schema.type === 'array' || schema.type === 'object')
    return `an ${schema.type}`;
  return `a ${schema.type ?? 'value'}`;
}
