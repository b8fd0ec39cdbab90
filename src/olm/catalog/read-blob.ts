import { WrongTypeError, decodeLikeGo } from '../bundle/decode-like-go.ts';
import { type JsonObject, isObject, textOf, valueOf } from '../bundle/json.ts';
import {
  type CatalogBlob,
  type CatalogBundle,
  type CatalogChannel,
  type CatalogDeprecations,
  type CatalogPackage,
  type Property,
  schemas,
} from './catalog.ts';
import type { CatalogFinding, Place } from './finding.ts';
import { blobTypes } from './go-types.ts';
import { objectProblem } from './properties.ts';

/** An object of a catalog, read by its schema. */
export type ReadBlob =
  | { readonly kind: 'package'; readonly value: CatalogPackage }
  | { readonly kind: 'channel'; readonly value: CatalogChannel }
  | { readonly kind: 'bundle'; readonly value: CatalogBundle }
  | { readonly kind: 'deprecations'; readonly value: CatalogDeprecations }
  | { readonly kind: 'other'; readonly value: CatalogBlob }
  | { readonly kind: 'problem'; readonly value: CatalogFinding };

/** Reads one document of a catalog. Names of fields match without regard to case, as Go matches them. */
export function readBlob(document: unknown, place: Place): ReadBlob {
  const problem = (type: CatalogFinding['type'], detail: string): ReadBlob => ({
    kind: 'problem',
    value: { type, detail, ...place },
  });
  if (document === null || document === undefined)
    return problem('missing-schema', 'a document is empty; remove its separator ---, or its comment');
  if (!isObject(document)) return problem('invalid-document', 'a document is not an object with a schema');
  const blob = document;
  const wrongKey = keyProblem(blob);
  if (wrongKey !== undefined) return problem('invalid-document', wrongKey);
  const schema = textLike(blob, 'schema');
  if (schema === '') return problem('missing-schema', `${titleOf(blob)} has no schema, such as olm.bundle`);
  try {
    return readBySchema(schema, blob, place);
  } catch (error) {
    if (!(error instanceof WrongTypeError)) throw error;
    return problem('invalid-document', `${error.message} (${titleOf(blob)} of schema ${schema})`);
  }
}

function readBySchema(schema: string, blob: JsonObject, place: Place): ReadBlob {
  switch (schema) {
    case schemas.package:
      return { kind: 'package', value: readPackage(blob, place) };
    case schemas.channel:
      return { kind: 'channel', value: readChannel(blob, place) };
    case schemas.bundle:
      return { kind: 'bundle', value: readBundle(blob, place) };
    case schemas.deprecations:
      return { kind: 'deprecations', value: readDeprecations(blob, place) };
    default:
      return { kind: 'other', value: { schema, blob, place } };
  }
}

/** Keys may differ in more than case; these three are texts in every schema. */
function keyProblem(blob: JsonObject): string | undefined {
  const seen = new Map<string, string>();
  for (const key of Object.keys(blob)) {
    const lower = key.toLowerCase();
    const other = seen.get(lower);
    if (other !== undefined) return `the keys "${other}" and "${key}" differ in case only; keep one`;
    seen.set(lower, key);
  }
  for (const name of ['schema', 'package', 'name']) {
    const key = seen.get(name);
    if (key === undefined || typeof blob[key] === 'string') continue;
    return `${key} is ${JSON.stringify(blob[key]).slice(0, 60)}, not a text; quote it`;
  }
  return undefined;
}

function textLike(blob: JsonObject, name: string): string {
  return textOf(blob, Object.keys(blob).find((key) => key.toLowerCase() === name) ?? name);
}

function titleOf(blob: JsonObject): string {
  const name = textLike(blob, 'name');
  return name === '' ? 'an object' : `the object "${name}"`;
}

function readPackage(blob: JsonObject, place: Place): CatalogPackage {
  const object = decodeLikeGo(blob, blobTypes.package, { textFromScalars: false });
  readProperties(object);
  return { name: textOf(object, 'name'), defaultChannel: textOf(object, 'defaultChannel'), place };
}

function readChannel(blob: JsonObject, place: Place): CatalogChannel {
  const object = decodeLikeGo(blob, blobTypes.channel, { textFromScalars: false });
  readProperties(object);
  const entries = listOf(object, 'entries').map((entry) => ({
    name: textOf(entry, 'name'),
    replaces: textOf(entry, 'replaces'),
    skips: listOf(entry, 'skips').filter((skip) => typeof skip === 'string'),
    skipRange: textOf(entry, 'skipRange'),
  }));
  return { name: textOf(object, 'name'), package: textOf(object, 'package'), entries, place };
}

function readBundle(blob: JsonObject, place: Place): CatalogBundle {
  const object = decodeLikeGo(blob, blobTypes.bundle, { textFromScalars: false });
  const properties = readProperties(object);
  for (const [index, property] of properties.entries()) {
    const problem = objectProblem(property);
    if (problem !== undefined) throw new WrongTypeError(`properties[${index}]`, problem);
  }
  const relatedImages = listOf(object, 'relatedImages').map((related) => ({
    name: textOf(related, 'name'),
    image: textOf(related, 'image'),
  }));
  const name = textOf(object, 'name');
  return {
    name,
    package: textOf(object, 'package'),
    image: textOf(object, 'image'),
    properties,
    relatedImages,
    place,
  };
}

function readDeprecations(blob: JsonObject, place: Place): CatalogDeprecations {
  const object = decodeLikeGo(blob, blobTypes.deprecations, { textFromScalars: false });
  const entries = listOf(object, 'entries').map((entry) => {
    const reference = valueOf(entry, 'reference');
    return {
      reference: { schema: textOf(reference, 'schema'), name: textOf(reference, 'name') },
      message: textOf(entry, 'message'),
    };
  });
  return { package: textOf(object, 'package'), entries, place };
}

function listOf(object: unknown, key: string): unknown[] {
  const value = valueOf(object, key);
  return Array.isArray(value) ? value : [];
}

function readProperties(object: unknown): Property[] {
  return listOf(object, 'properties').map((item, index) => {
    const path = `properties[${index}]`;
    if (item === null) return { type: '', value: undefined };
    if (!isObject(item)) throw new WrongTypeError(path, 'is not an object with type and value');
    const keyLike = (name: string) => Object.keys(item).find((key) => key.toLowerCase() === name) ?? name;
    const type = valueOf(item, keyLike('type')) ?? '';
    if (typeof type !== 'string') throw new WrongTypeError(`${path}.type`, 'is not a text');
    return { type, value: valueOf(item, keyLike('value')) };
  });
}
