import type { ApiObject } from '../json/api-object.ts';
import { jsonTextOf } from '../json/stringify-json.ts';
import { StatusError } from '../status/status-error.ts';

/** How kube-apiserver encodes the objects of a resource in etcd: custom resources as JSON, built-in kinds as protobuf. */
export type StorageForm = 'json' | 'protobuf';

/** In bytes: the largest request that etcd accepts, and the largest that its client sends. */
const maxRequest = 1.5 * 1024 * 1024;
const maxMessage = 2 * 1024 * 1024;
/** The longest UTF-8 encoding of a UTF-16 code unit, in bytes. */
const maxCharacter = 3;

/**
 * Refuses an object that is too large for etcd. The size is accurate to a few hundred bytes: a real server adds
 * keys and omits the resource version.
 *
 * @param object as it would be stored
 * @throws {StatusError} 500, in the words of kube-apiserver
 */
export function checkSize(object: ApiObject, form: StorageForm): void {
  const text = jsonTextOf(object);
  if (text.length * maxCharacter <= maxRequest) return;
  const bytes = Buffer.byteLength(text);
  if (bytes <= maxRequest) return;
  const size = form === 'json' ? bytes : protobufSize(object);
  if (size > maxMessage) {
    const reason = `trying to send message larger than max (${size} vs. ${maxMessage})`;
    throw new StatusError(500, undefined, `rpc error: code = ResourceExhausted desc = ${reason}`);
  }
  if (size > maxRequest) throw new StatusError(500, undefined, 'etcdserver: request is too large');
}

/**
 * The approximate size of a value as protobuf, which neither escapes strings nor names fields. Base64 strings,
 * which protobuf stores as bytes, count as they are.
 */
function protobufSize(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (typeof value !== 'object' || value === null) return 1;
  const tag = 2;
  return Object.values(value).reduce((sum: number, item) => sum + tag + protobufSize(item), 0);
}
