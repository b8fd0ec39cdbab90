import type { JsonObject } from '../json/json-object.ts';
import { type ProtobufBody, openProtobuf, readProtobuf } from '../protobuf/protobuf-body.ts';
import { ProtobufError } from '../protobuf/wire-reader.ts';
import { type Resource, apiVersionOf } from '../registry/resource.ts';
import { checkBuiltInType, inSentVersion } from './check-type-meta.ts';
import { cannotHandle, unrecognized } from './undecodable.ts';

/**
 * Decodes an object of a built-in kind. Skips unknown fields without a report, because protobuf has no names for
 * them.
 *
 * @returns its JSON, without apiVersion and kind
 * @throws {StatusError} 400 when the body does not contain an object of the resource
 */
export function decodeProtobuf(bytes: Buffer, resource: Resource): JsonObject {
  const { apiVersion, kind, raw } = open(bytes, resource);
  checkBuiltInType(apiVersion, kind, inSentVersion(resource, apiVersion));
  try {
    return readProtobuf(raw, apiVersionOf(resource), resource.kind);
  } catch (error) {
    if (error instanceof ProtobufError) throw cannotHandle(resource, error.message);
    throw error;
  }
}

function open(bytes: Buffer, resource: Resource): ProtobufBody {
  try {
    return openProtobuf(bytes);
  } catch (error) {
    if (error instanceof ProtobufError) throw unrecognized(resource, error.message, bytes);
    throw error;
  }
}
