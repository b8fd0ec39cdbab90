import type { ApiObject } from '../json/api-object.ts';
import { jsonTextOf } from '../json/json-text-of.ts';
import { StatusError } from '../status/status-error.ts';

/** How a kube-apiserver writes the objects of a resource into etcd: custom resources as JSON, built-in kinds as protobuf. */
export type StorageForm = 'json' | 'protobuf';

/** Bytes of the largest request that etcd accepts, and of the largest one that its client sends. */
const maxRequest = 1.5 * 1024 * 1024;
const maxMessage = 2 * 1024 * 1024;
/** The longest encoding of a character of JavaScript, in bytes. */
const maxCharacter = 3;

/**
 * Refuses an object that etcd would not take. The size is exact to some hundred bytes: a real server adds keys and leaves
 * out the resource version.
 *
 * @param object as it would be stored
 * @throws {StatusError} 500, in the words of a kube-apiserver
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
 * About how many bytes a value takes as protobuf, which escapes nothing and does not name fields. Strings in Base64, which
 * are bytes there, are counted as they are.
 */
function protobufSize(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (typeof value !== 'object' || value === null) return 1;
  const tag = 2;
  return Object.values(value).reduce((sum: number, item) => sum + tag + protobufSize(item), 0);
}
