import {
  type ProtobufField,
  type ProtobufMessage,
  type ProtobufScalar,
  newMessage,
} from 'ots-kubernetes/protobuf-messages';

/**
 * Messages with special JSON, and the envelope of a body. They are defined here because the generated table does
 * not have them.
 */
export const timestamp = newMessage('Timestamp', [
  fieldOf(1, 'seconds', 'int64'),
  fieldOf(2, 'nanos', 'int32'),
]);
export const quantity = newMessage('Quantity', [fieldOf(1, 'string', 'string', 'String_')]);
export const intOrString = newMessage('IntOrString', [
  fieldOf(1, 'type', 'int64'),
  fieldOf(2, 'intVal', 'int32'),
  fieldOf(3, 'strVal', 'string'),
]);
export const rawJson = newMessage('RawExtension', [fieldOf(1, 'raw', 'bytes')]);
export const typeMeta = newMessage('TypeMeta', [
  fieldOf(1, 'apiVersion', 'string', 'APIVersion'),
  fieldOf(2, 'kind', 'string'),
]);
export const envelope = newMessage('Unknown', [
  fieldOf(1, 'typeMeta', typeMeta),
  fieldOf(2, 'raw', 'bytes'),
  fieldOf(3, 'contentEncoding', 'string'),
  fieldOf(4, 'contentType', 'string'),
]);

function fieldOf(
  number: number,
  name: string,
  type: ProtobufScalar | ProtobufMessage,
  goName = `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`,
): ProtobufField {
  return { number, name, goName, shape: 'single', showsZero: true, type };
}
