import type { ObjectMeta } from 'ots-kubernetes';
import { DecodeError, type Struct, decodeFields } from '../objects/decode-fields.ts';
import { isObject } from '../objects/json-object.ts';

const ownerReference: Struct = {
  type: 'OwnerReference',
  fields: () => ({
    apiVersion: 'string',
    kind: 'string',
    name: 'string',
    uid: 'string',
    controller: 'boolean',
    blockOwnerDeletion: 'boolean',
  }),
};
const managedFieldsEntry: Struct = {
  type: 'ManagedFieldsEntry',
  fields: () => ({
    manager: 'string',
    operation: 'string',
    apiVersion: 'string',
    time: 'time',
    fieldsType: 'string',
    fieldsV1: 'object',
    subresource: 'string',
  }),
};

/** The metadata of every object. */
export const objectMeta: Struct = {
  type: 'ObjectMeta',
  fields: () => ({
    name: 'string',
    generateName: 'string',
    namespace: 'string',
    selfLink: 'string',
    uid: 'string',
    resourceVersion: 'string',
    generation: 'integer',
    creationTimestamp: 'time',
    deletionTimestamp: 'time',
    deletionGracePeriodSeconds: 'integer',
    labels: { map: 'string' },
    annotations: { map: 'string' },
    ownerReferences: { list: ownerReference },
    finalizers: { list: 'string' },
    managedFields: { list: managedFieldsEntry },
  }),
};

/**
 * Reads `metadata` as a server does: unknown fields are dropped and reported, empty ones are dropped.
 *
 * @param value what the body holds
 * @param resource what it is the metadata of: Go's messages differ for custom resources
 * @param unknown takes the paths of unknown fields, such as `metadata.foo`
 * @throws {DecodeError} when a field has the wrong type
 */
export function decodeMetadata(
  value: unknown,
  { kind, custom }: { kind: string; custom: boolean },
  unknown: string[],
): ObjectMeta {
  if (value === undefined || value === null) return {};
  if (!isObject(value)) {
    const type = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;
    throw new DecodeError(
      `json: cannot unmarshal ${type} into Go struct field ${kind}.metadata of type v1.ObjectMeta`,
    );
  }
  const position = { path: 'metadata', goField: '', unknown };
  const fields = decodeFields(value, objectMeta, position, custom ? '' : 'metadata.');
  // An empty list of managers is more than none: it clears them.
  return Object.fromEntries(
    Object.entries(fields).filter(([name, field]) => name === 'managedFields' || !isEmpty(field)),
  );
}

function isEmpty(value: unknown): boolean {
  if (value === '' || value === 0) return true;
  if (Array.isArray(value)) return value.length === 0;
  return isObject(value) && Object.keys(value).length === 0;
}
