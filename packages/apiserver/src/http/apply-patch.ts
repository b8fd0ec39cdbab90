import { cloneJson } from '../json/clone-json.ts';
import { objectSchema } from 'ots-kubernetes/object-schemas';
import type { ApiObject } from '../json/api-object.ts';
import { goTypeOfKind } from '../decoding/go-type-of-kind.ts';
import { stringifyJson } from '../json/stringify-json.ts';
import { type JsonObject, isObject } from '../json/json-object.ts';
import { printGo } from '../patch/go-value.ts';
import { JsonPatchError, applyJsonPatch } from '../patch/json-patch.ts';
import { applyMergePatch } from '../patch/merge-patch.ts';
import { RestoreError, checkRestorable } from '../patch/restore-object.ts';
import { StrategicMergeError } from '../patch/strategic-merge-error.ts';
import { applyStrategicMergePatch } from '../patch/strategic-merge-patch.ts';
import { type Resource, apiVersionOf } from '../registry/resource.ts';
import { badRequest, internalError, invalidObject } from '../status/errors.ts';
import { invalid } from '../status/field-error.ts';
import { StatusError } from '../status/status-error.ts';
import { type DecodedObject, type FieldValidation, decodePatched } from './decode-body.ts';
import { parseJsonPatch, parseMergePatch, parseStrategicPatch } from './parse-patch.ts';
import type { SentPatch } from './read-patch.ts';
import { jsonType } from '../decoding/mismatches.ts';
import { jsonError, notStruct, wrongTypeMeta } from '../decoding/type-meta.ts';

/**
 * Applies a patch to an object.
 *
 * @param object the current object, in the version of the request; it is not changed
 * @returns the new object, decoded like a body, and the warnings
 * @throws {StatusError} when the text is not a patch, the patch does not fit, or its result is not an object of
 *   the resource
 */
export function applyPatch(
  { type, source }: SentPatch & { type: 'json' | 'merge' | 'strategic' },
  object: ApiObject,
  resource: Resource,
  fieldValidation: FieldValidation,
): DecodedObject {
  if (type === 'strategic') return applyStrategic(source, object, resource, fieldValidation);
  const isStrict = fieldValidation !== 'Ignore';
  const { patch, problems } =
    type === 'json' ? parseJsonPatch(source, isStrict) : parseMergePatch(source, isStrict);
  const patched = Array.isArray(patch) && type === 'json' ? operate(object, patch) : merge(object, patch);
  const shown = () => stringifyJson(patched);
  checkType(patched, resource, shown);
  return decode(patched, { resource, fieldValidation, problems, shown });
}

function operate(object: ApiObject, operations: readonly unknown[]): unknown {
  try {
    return applyJsonPatch(object, operations);
  } catch (error) {
    throw error instanceof JsonPatchError ? rejected() : error;
  }
}

/** Copies the object: the result becomes part of the store, which shares nothing. */
function merge(object: ApiObject, patch: unknown): unknown {
  return cloneJson(applyMergePatch(object, patch));
}

/** Checks the type in the result of a patch. */
function checkType(patched: unknown, resource: Resource, shown: () => string): void {
  if (!isObject(patched)) {
    const detail = `${jsonError} ${notStruct(jsonType(patched))}`;
    throw invalidPatch(shown(), detail);
  }
  const detail = wrongTypeMeta(patched);
  if (detail !== undefined) throw invalidPatch(shown(), `${jsonError} ${detail}`);
  const { apiVersion, kind } = patched;
  if (resource.custom && (kind === undefined || kind === null || kind === '')) {
    throw invalidPatch(shown(), `Object 'Kind' is missing in '${shown()}'`);
  }
  // Without a version kube-apiserver looks for an object without any version and finds nothing.
  if (!resource.custom && (apiVersion === undefined || apiVersion === null || apiVersion === '')) {
    patched['metadata'] = {};
  }
}

function applyStrategic(
  source: string,
  object: ApiObject,
  resource: Resource,
  fieldValidation: FieldValidation,
): DecodedObject {
  const { patch, problems } = parseStrategicPatch(source);
  const { group, version, kind } = resource;
  const schema = objectSchema(group, version, kind);
  const type = goTypeOfKind(group, version, kind);
  if (!schema || !type) throw internalError(`no schema of ${kind}`);
  const shown = () => printGo(patch);
  let patched: JsonObject;
  try {
    patched = applyStrategicMergePatch(object, patch, schema);
    checkRestorable(changedFields(object, patched), type);
  } catch (error) {
    if (error instanceof RestoreError) throw invalidPatch(shown(), error.message);
    throw error instanceof StrategicMergeError ? violation(error) : error;
  }
  const typed = { ...patched, apiVersion: apiVersionOf(resource), kind };
  return decode(typed, { resource, fieldValidation, problems, shown });
}

/** What a patch has not left as it was. */
function changedFields(object: ApiObject, patched: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(patched).filter(([name, value]) => value !== object[name]));
}

/** How to decode the result of a patch. */
interface Decoding {
  resource: Resource;
  fieldValidation: FieldValidation;
  /** Strict-decoding errors of the patch itself. */
  problems: readonly string[];
  /** What messages show: the patch, or its result. */
  shown: () => string;
}

function decode(value: unknown, { resource, fieldValidation, problems, shown }: Decoding): DecodedObject {
  // Decoding drops unknown fields, which the message must still show.
  const text = fieldValidation === 'Strict' ? shown() : undefined;
  let decoded: DecodedObject;
  try {
    decoded = decodePatched(value, resource, fieldValidation === 'Ignore' ? 'Ignore' : 'Warn');
  } catch (error) {
    throw asPatchError(error, shown);
  }
  if (fieldValidation === 'Ignore') return decoded;
  // Here the result is a Go map, which has no order.
  const found = resource.custom ? decoded.warnings : decoded.warnings.toSorted();
  const warnings = [...problems, ...found];
  if (text !== undefined && warnings.length > 0) {
    throw invalidPatch(text, `strict decoding error: ${warnings.join(', ')}`);
  }
  return { object: decoded.object, warnings };
}

/** If the result cannot be decoded, the message says that the patch is invalid. */
function asPatchError(error: unknown, shown: () => string): unknown {
  if (!(error instanceof StatusError)) return error;
  const detail = / cannot be handled as a [^:]*: (.*)/s.exec(error.message)?.[1];
  return detail === undefined ? error : invalidPatch(shown(), detail);
}

/** The answer names neither kind nor object. */
function invalidPatch(shown: string, detail: string): StatusError {
  return invalidObject({ group: '', name: '' }, '', [invalid('patch', shown, detail)]);
}

function violation({ code, message }: StrategicMergeError): StatusError {
  if (code === 400) return badRequest(message);
  return code === 422 ? rejected() : new StatusError(500, undefined, message);
}

function rejected(): StatusError {
  return new StatusError(
    422,
    'Invalid',
    'the server rejected our request due to an error in our request',
    {},
  );
}
