import { goTypeOfKind } from 'ots-apiserver/decoding';
import type { JsonObject } from '../bundle/json.ts';
import { writeLikeGo } from '../bundle/write-like-go.ts';

/** An object of a built-in kind as Go writes it. The types of its fields must be right. */
export function typedObject(apiVersion: string, kind: string, fields: object): JsonObject {
  const [group, version] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
  const type = goTypeOfKind(group!, version!, kind);
  if (!type) throw new TypeError(`there is no type of ${kind}`);
  return { apiVersion, kind, ...writeLikeGo({ ...fields }, type) };
}
