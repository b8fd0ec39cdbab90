import { createHash } from 'node:crypto';
import type { KubernetesObject } from 'ots-kubernetes';
import type { ConfigMap, Secret } from 'ots-kubernetes/core/v1';
import type { DeepReadonly } from './deep-readonly.ts';

const hashLength = 16;
/** What is not content of other kinds than Secret and ConfigMap. */
const notContent = new Set(['apiVersion', 'kind', 'metadata', 'status']);

/**
 * Returns a hash of the content of objects, for an annotation of a pod template: a change of the content then rolls the
 * pods. Changes of metadata and status do not. The order of the objects counts; their names do not.
 *
 * The content of a Secret is `data`, including what `stringData` adds to it; that of a ConfigMap is `data` and
 * `binaryData`; that of other kinds is every field except `apiVersion`, `kind`, `metadata` and `status`.
 *
 * Do not pass objects of `metadataOf`: they have no content. Every reader of the annotation can check guesses of a short
 * secret against the hash.
 * @param objects as `client.get` returns them; undefined for a missing object, which differs from an empty one.
 * @returns 16 hexadecimal digits, the same in every version of ots-runtime.
 */
export function contentHash(...objects: readonly (DeepReadonly<KubernetesObject> | undefined)[]): string {
  // This algorithm is part of the API: any other result rolls the pods of every operator that is upgraded.
  // 1. The content of an object is an object with the fields that the docstring lists. Of Secrets and ConfigMaps, empty
  //    fields are left out, because the server does not always keep them. A missing object is null.
  // 2. The list of contents becomes JSON without white space. The fields of each object are in the order of their UTF-16
  //    code units; those that are undefined are left out.
  // 3. The hash is the first 16 hexadecimal digits of the SHA-256 of that text in UTF-8.
  const contents = objects.map((object) => (object ? contentOf(object) : null));
  return createHash('sha256').update(canonicalJson(contents)).digest('hex').slice(0, hashLength);
}

function contentOf(object: DeepReadonly<KubernetesObject>): object {
  if (object.apiVersion === 'v1' && object.kind === 'Secret') return secretContent(object as Secret);
  if (object.apiVersion === 'v1' && object.kind === 'ConfigMap') {
    const { data, binaryData } = object as ConfigMap;
    return withoutEmpty({ data, binaryData });
  }
  return Object.fromEntries(Object.entries(object).filter(([name]) => !notContent.has(name)));
}

/** As the server stores it. */
function secretContent({ data, stringData = {} }: Secret): object {
  const added = Object.entries(stringData).map(([name, text]) => [
    name,
    Buffer.from(text).toString('base64'),
  ]);
  return withoutEmpty({ data: { ...data, ...Object.fromEntries(added) } });
}

function withoutEmpty(fields: Record<string, object | undefined>): object {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value && Object.keys(value).length > 0),
  );
}

function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item)).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    // Not toLocaleCompare, which depends on the machine.
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, field]) => `${JSON.stringify(name)}:${canonicalJson(field)}`);
  return `{${fields.join()}}`;
}
