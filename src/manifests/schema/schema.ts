import type { aliasKey, Alias } from './alias.ts';
import type { FieldMarks, marksKey } from './field-marks.ts';
import type { openKey, OpenType } from './open-type.ts';
import type { originKey, Origin, RuleOrigin } from './origin.ts';

/** A value that YAML and JSON can represent. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

export type JsonObject = { [key: string]: Json };

/** The part of a structural schema (apiextensions.k8s.io/v1 JSONSchemaProps) that ots generates. */
export interface Schema {
  type?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean';
  format?: string;
  title?: string;
  description?: string;
  externalDocs?: { url: string; description?: string };
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
  minProperties?: number;
  maxProperties?: number;
  /** A map, because a property can be called `__proto__`. */
  properties?: Map<string, Schema>;
  required?: string[];
  additionalProperties?: Schema;
  anyOf?: { type: 'integer' | 'string' }[];
  /**
   * Further constraints on the same value, without types, descriptions and defaults: a structural schema
   * forbids them here.
   */
  allOf?: Schema[];
  'x-kubernetes-embedded-resource'?: true;
  'x-kubernetes-int-or-string'?: true;
  'x-kubernetes-list-type'?: string;
  'x-kubernetes-list-map-keys'?: string[];
  'x-kubernetes-map-type'?: string;
  'x-kubernetes-preserve-unknown-fields'?: true;
  'x-kubernetes-validations'?: ValidationRule[];
  [originKey]?: Origin;
  [aliasKey]?: Alias;
  [openKey]?: OpenType;
  [marksKey]?: FieldMarks;
}

/** A CEL rule that the API server evaluates on every write. */
export interface ValidationRule {
  rule: string;
  message?: string;
  messageExpression?: string;
  reason?: string;
  fieldPath?: string;
  optionalOldSelf?: boolean;
  [originKey]?: RuleOrigin;
}

/** Allows null, which an enum must list, too. */
export function makeNullable(schema: Schema): Schema {
  if (!schema.enum || schema.enum.includes(null)) return { ...schema, nullable: true };
  return { ...schema, nullable: true, enum: [...schema.enum, null] };
}

/** Returns what a schema describes, for error messages. */
export function describeSchema(schema: Schema): string {
  if (schema['x-kubernetes-int-or-string']) return 'an integer or string';
  if (schema.type === 'integer' || schema.type === 'array' || schema.type === 'object')
    return `an ${schema.type}`;
  return `a ${schema.type ?? 'value of any type'}`;
}

/** Returns whether a JSON value is an object: neither null nor a list. */
export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
