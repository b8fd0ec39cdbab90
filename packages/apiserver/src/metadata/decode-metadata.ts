import type { ObjectMeta } from 'ots-kubernetes';
import { DecodeError } from '../decoding/decode-error.ts';
import { decodeTyped } from '../decoding/decode-typed.ts';
import type { GoStruct } from '../decoding/go-type.ts';
import { goTypeOfKind } from '../decoding/go-type-of-kind.ts';
import { jsonType } from '../decoding/mismatches.ts';
import type { StrictErrors } from '../decoding/strict-errors.ts';
import { isObject } from '../json/json-object.ts';

/** The Go type of the metadata of every object. */
export function objectMetaType(): GoStruct {
  const type = goTypeOfKind('', 'v1', 'ConfigMap')?.fields.get('metadata')?.type;
  if (type?.kind !== 'struct') throw new TypeError('a ConfigMap has no metadata');
  return type;
}

/**
 * Decodes the metadata of a custom resource, whose other fields have no Go type. Drops unknown fields and reports
 * them; drops empty ones.
 *
 * @param value the metadata in the body
 * @param strict receives the unknown fields
 * @param path the path of the metadata, if it is not the object's own
 * @throws {DecodeError} when a field has the wrong type
 */
export function decodeMetadata(value: unknown, strict: StrictErrors, path = 'metadata'): ObjectMeta {
  if (value === undefined || value === null) return {};
  if (!isObject(value))
    throw new DecodeError(`json: cannot unmarshal ${jsonType(value)} into Go value of type v1.ObjectMeta`);
  return keepNoManagers(value, decodeTyped(value, objectMetaType(), strict, path));
}

/** Keeps an empty list of managers, which means something else than none: it clears them. */
export function keepNoManagers(sent: unknown, metadata: ObjectMeta): ObjectMeta {
  if (!isObject(sent)) return metadata;
  const { managedFields } = sent;
  if (Array.isArray(managedFields) && managedFields.length === 0) metadata.managedFields = [];
  return metadata;
}
