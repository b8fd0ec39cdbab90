import type { ObjectMeta } from 'ots-kubernetes';
import { DecodeError } from '../decoding/decode-error.ts';
import { decodeTyped } from '../decoding/decode-typed.ts';
import type { GoStruct } from '../decoding/go-type.ts';
import { goTypeOfKind } from '../decoding/go-type-of-kind.ts';
import { jsonType } from '../decoding/mismatches.ts';
import type { StrictErrors } from '../decoding/strict-errors.ts';
import { isObject } from '../json/json-object.ts';

/** The metadata of every object. */
export function objectMetaType(): GoStruct {
  const type = goTypeOfKind('', 'v1', 'ConfigMap')?.fields.get('metadata')?.type;
  if (type?.kind !== 'struct') throw new TypeError('a ConfigMap has no metadata');
  return type;
}

/**
 * Reads the metadata of an object whose other fields no Go type tells: a custom resource. Unknown fields are dropped and
 * reported, empty ones are dropped.
 *
 * @param value what the body holds
 * @param kind of what it is the metadata
 * @param strict is told of unknown fields
 * @param path where it stands, when not in the object itself
 * @throws {DecodeError} when a field has the wrong type
 */
export function decodeMetadata(
  value: unknown,
  { kind }: { kind: string },
  strict: StrictErrors,
  path = 'metadata',
): ObjectMeta {
  if (value === undefined || value === null) return {};
  if (!isObject(value)) {
    throw new DecodeError(
      `json: cannot unmarshal ${jsonType(value)} into Go struct field ${kind}.metadata of type v1.ObjectMeta`,
    );
  }
  return keepNoManagers(value, decodeTyped(value, objectMetaType(), strict, path));
}

/** An empty list of managers is more than none: it clears them. */
export function keepNoManagers(sent: unknown, metadata: ObjectMeta): ObjectMeta {
  if (!isObject(sent)) return metadata;
  const { managedFields } = sent;
  if (Array.isArray(managedFields) && managedFields.length === 0) metadata.managedFields = [];
  return metadata;
}
