import { dns1035Label, pathSegment } from 'ots-apimachinery/names';
import { DecodeError } from '../decoding/decode-error.ts';
import { StrictErrors } from '../decoding/strict-errors.ts';
import { type JsonObject, isObject } from '../json/json-object.ts';
import { decodeMetadata } from '../metadata/decode-metadata.ts';
import { validateMetadata } from '../metadata/validate-metadata.ts';
import { type FieldError, invalid, required } from '../status/field-error.ts';
import { type Schema, itemSchema, propertySchema } from './json-schema.ts';

/** Visits every embedded object in a value. */
function visit(
  value: unknown,
  schema: Schema | undefined,
  path: string,
  look: (object: JsonObject, path: string) => void,
): void {
  if (!schema) return;
  if (isObject(value)) {
    if (schema['x-kubernetes-embedded-resource'] === true) look(value, path);
    for (const name of Object.keys(value)) {
      const isProperty = schema.properties !== undefined && Object.hasOwn(schema.properties, name);
      const separated = path === '' ? name : `${path}.${name}`;
      visit(value[name], propertySchema(schema, name), isProperty ? separated : `${path}[${name}]`, look);
    }
  } else if (Array.isArray(value)) {
    const item = itemSchema(schema);
    for (const [index, entry] of value.entries()) visit(entry, item, `${path}[${index}]`, look);
  }
}

/**
 * Decodes the metadata of embedded objects like that of any object. Changes the value.
 *
 * @param strict receives unknown metadata fields, which are removed
 * @throws {DecodeError} when apiVersion, kind or metadata have a wrong type
 */
export function decodeEmbedded(value: unknown, schema: Schema, strict: StrictErrors): void {
  visit(value, schema, '', (object, path) => {
    for (const name of ['apiVersion', 'kind'])
      if (Object.hasOwn(object, name) && typeof object[name] !== 'string')
        throw refused(invalid(`${path}.${name}`, object[name], 'must be a string'));
    if (!Object.hasOwn(object, 'metadata')) return;
    const place = `${path}.metadata`;
    try {
      object['metadata'] = decodeMetadata(object['metadata'], strict, place);
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      throw refused(invalid(place, object['metadata'], error.message));
    }
  });
}

function refused({ field, message }: FieldError): DecodeError {
  return new DecodeError(`${field}: ${message}`);
}

/** Validates the type and metadata of embedded objects. */
export function validateEmbedded(value: unknown, schema: Schema): FieldError[] {
  const errors: FieldError[] = [];
  visit(value, schema, '', (object, path) => {
    errors.push(
      ...validateApiVersion(object['apiVersion'], `${path}.apiVersion`),
      ...validateKind(object['kind'], `${path}.kind`),
      ...validateMeta(object['metadata'], path),
    );
  });
  return errors;
}

function validateApiVersion(value: unknown, field: string): FieldError[] {
  if (value === undefined) return [required(field)];
  if (typeof value !== 'string') return [invalid(field, value, 'must be a string')];
  if (value === '') return [invalid(field, value, 'must not be empty')];
  if (value.split('/').length < 3) return [];
  return [invalid(field, value, `unexpected GroupVersion string: ${value}`)];
}

function validateKind(value: unknown, field: string): FieldError[] {
  if (value === undefined) return [required(field)];
  if (typeof value !== 'string') return [invalid(field, value, 'must be a string')];
  if (value === '') return [invalid(field, value, 'must not be empty')];
  const problems = dns1035Label(value.toLowerCase());
  if (problems.length === 0) return [];
  return [invalid(field, value, `may have mixed case, but should otherwise match: ${problems.join(',')}`)];
}

function validateMeta(value: unknown, path: string): FieldError[] {
  try {
    const { name, ...metadata } = decodeMetadata(value, new StrictErrors());
    // The name is optional.
    return validateMetadata({ ...metadata, name: name ?? 'fakename' }, pathSegment, true).map((error) => ({
      ...error,
      field: `${path}.${error.field}`,
    }));
  } catch (error) {
    if (error instanceof DecodeError) return [invalid(`${path}.metadata`, value, error.message)];
    throw error;
  }
}
