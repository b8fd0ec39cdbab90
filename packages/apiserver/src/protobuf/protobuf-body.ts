import { protobufMessage } from 'ots-kubernetes/protobuf-messages';
import { type JsonObject, isObject } from '../json/json-object.ts';
import { messageToJson } from './message-to-json.ts';
import { ProtobufError } from './wire-reader.ts';
import { bytesOf, readValues } from './read-values.ts';
import { envelope, typeMeta } from './well-known-messages.ts';

/** The media type of bodies with an object in protobuf. */
export const protobufType = 'application/vnd.kubernetes.protobuf';

/** The prefix of every such body: `k8s` and a zero byte. */
const magic = Buffer.from('k8s\0');

/** The envelope of a body, with the object still encoded. */
export interface ProtobufBody {
  /** Empty when the body states none, or an invalid one. */
  apiVersion: string;
  kind: string;
  raw: Buffer;
}

/**
 * Opens the envelope of a body.
 *
 * @throws {ProtobufError} when there is none
 */
export function openProtobuf(body: Buffer): ProtobufBody {
  if (body.length === 0) throw new ProtobufError('empty data');
  if (!body.subarray(0, magic.length).equals(magic)) {
    throw new ProtobufError(
      `provided data does not appear to be a protobuf message, expected prefix [${[...magic].join(' ')}]`,
    );
  }
  if (body.length === magic.length) throw new ProtobufError('empty body');
  const { values } = readValues(envelope, [body.subarray(magic.length)]);
  const [types = [], raws = []] = envelope.fields.map((field) => bytesOf(values.get(field)));
  const { apiVersion, kind } = messageToJson(typeMeta, types) as JsonObject;
  return {
    apiVersion: typeof apiVersion === 'string' && apiVersion.split('/').length <= 2 ? apiVersion : '',
    kind: typeof kind === 'string' ? kind : '',
    raw: raws.at(-1) ?? Buffer.alloc(0),
  };
}

/**
 * Decodes an object of a built-in kind.
 *
 * @param raw the content of the envelope
 * @returns the JSON that a Go client would have sent, without apiVersion and kind
 * @throws {ProtobufError} when the bytes are not such an object, or the kind does not exist
 */
export function readProtobuf(raw: Buffer, apiVersion: string, kind: string): JsonObject {
  const message = protobufMessage(apiVersion, kind);
  if (!message) throw new ProtobufError(`no message holds the kind ${kind} of ${apiVersion}`);
  const value = messageToJson(message, [raw]);
  return isObject(value) ? value : {};
}
