import { goTypeOfKind } from 'ots-apiserver/decoding';
import type { ObjectMeta } from 'ots-kubernetes';
import { decodeLikeGo } from './decode-like-go.ts';

/**
 * Reads the metadata of an object of any kind.
 *
 * @throws {WrongTypeError} when a field has the wrong type
 */
export function readMetadata(value: unknown): ObjectMeta {
  const type = goTypeOfKind('', 'v1', 'ConfigMap')?.fields.get('metadata')?.type;
  if (!type) throw new TypeError('a ConfigMap has no metadata');
  return decodeLikeGo(value, type, { textFromScalars: false }, 'metadata') as ObjectMeta;
}
