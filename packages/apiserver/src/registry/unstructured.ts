import type { ObjectMeta } from 'ots-kubernetes';
import { DecodeError } from '../decoding/decode-error.ts';
import { StrictErrors } from '../decoding/strict-errors.ts';
import type { ApiObject } from '../json/api-object.ts';
import { type JsonObject, isObject } from '../json/json-object.ts';
import { decodeMetadata } from '../metadata/decode-metadata.ts';
import { decodeObjectOf } from './decode-object.ts';
import { type Resource, apiVersionOf } from './resource.ts';

/** The metadata of an unstructured object. */
interface UnstructuredMetadata {
  /** As admission left it. */
  readonly sent: unknown;
  /** The fields that were read from it, in the object that the server changes. */
  readonly metadata: ObjectMeta;
  /** Those fields before it changed them. */
  readonly read: JsonObject;
}

const unstructuredMetadata = new WeakMap<ApiObject, UnstructuredMetadata>();

/**
 * A custom resource that admission changed. A server prunes and decodes it only when it stores it: until then it has every
 * field that admission added. Fields of its metadata that have the wrong type read as absent.
 *
 * @param value becomes part of the result
 */
export function unstructured(resource: Resource, value: JsonObject): ApiObject {
  const { metadata: sent, ...fields } = value;
  const metadata = readMetadata(sent);
  const object = { ...fields, apiVersion: apiVersionOf(resource), kind: resource.kind, metadata };
  unstructuredMetadata.set(object, { sent, metadata, read: { ...metadata } });
  return object;
}

/** An object as admission left it, with what the server changed since then. */
export function unstructuredJson(object: ApiObject): JsonObject {
  const known = unstructuredMetadata.get(object);
  // The server may have replaced all of the metadata, as in an update of a status.
  if (!known || known.metadata !== object.metadata) return object;
  const { metadata: _, ...fields } = object;
  const shown = shownMetadata(known);
  return shown === undefined ? fields : { ...fields, metadata: shown };
}

/** Decodes an object to store it, if it is unstructured. What cannot be decoded is lost. */
export function decodeUnstructured(resource: Resource, object: ApiObject): ApiObject {
  return unstructuredMetadata.has(object) ? decodeObjectOf(resource, object, new StrictErrors()) : object;
}

function readMetadata(sent: unknown): ObjectMeta {
  if (sent === undefined) return {};
  // In Go, writes to the fields of what is not an object have no effect.
  if (!isObject(sent)) return new Proxy({}, { set: () => true });
  const fields = Object.entries(sent).map(([name, field]) => readField(name, field));
  return Object.assign({}, ...fields) as ObjectMeta;
}

function readField(name: string, value: unknown): ObjectMeta {
  try {
    return decodeMetadata({ [name]: value }, new StrictErrors());
  } catch (error) {
    if (error instanceof DecodeError) return {};
    throw error;
  }
}

function shownMetadata({ sent, metadata, read }: UnstructuredMetadata): unknown {
  const now: JsonObject = { ...metadata };
  if (!isObject(sent)) return sent === undefined && Object.keys(now).length > 0 ? now : sent;
  const kept = Object.entries(sent).filter(([name]) => now[name] === read[name]);
  return { ...now, ...Object.fromEntries(kept) };
}
