export { SchemaValidator, validateValue } from './crd/schema/schema-validator.ts';
export type { Schema } from './schema/json-schema.ts';
export type { FieldError } from './status/field-error.ts';
