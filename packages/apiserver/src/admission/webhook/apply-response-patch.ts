import { goQuote } from 'ots-apimachinery/go/go-quote';
import { DecodeError } from '../../decoding/decode-error.ts';
import { goTypeOfKind } from '../../decoding/go-type-of-kind.ts';
import { jsonType } from '../../decoding/mismatches.ts';
import { jsonError, notStruct, wrongTypeMeta } from '../../decoding/type-meta.ts';
import { StrictErrors } from '../../decoding/strict-errors.ts';
import type { ApiObject } from '../../json/api-object.ts';
import { decodeJson } from '../../json/decode-json.ts';
import { jsonEqual } from '../../json/json-equal.ts';
import { lacksValue } from '../../json/lacks-value.ts';
import { sortKeys } from '../../json/sort-keys.ts';
import { type JsonObject, isObject } from '../../json/json-object.ts';
import { JsonPatchError, applyJsonPatch } from '../../patch/json-patch.ts';
import { decodeObjectOf } from '../../registry/decode-object.ts';
import { unstructured, unstructuredJson } from '../../registry/unstructured.ts';
import { type Resource, apiVersionOf } from '../../registry/resource.ts';
import { internalError, invalidObject } from '../../status/errors.ts';
import { invalid } from '../../status/field-error.ts';
import { StatusError } from '../../status/status-error.ts';
import { type AdmissionResponse, jsonPatch } from './admission-review.ts';
import { WebhookCallError } from '../../webhooks/webhook-call-error.ts';

/** What a patch made of an object. */
interface Patched {
  /** With defaults, unless it is a custom resource. */
  readonly object: ApiObject;
  readonly isChanged: boolean;
}

/**
 * Applies the patch of a mutating webhook.
 *
 * @param object the object as the webhook saw it; it is not changed
 * @param kind its kind
 * @param response its patch is the JSON text of a JSON patch; empty for none
 * @returns undefined when the patch contains no operation
 * @throws {WebhookCallError} when the text is not a JSON patch
 * @throws {StatusError} 500 when the patch does not apply
 */
export function applyResponsePatch(
  name: string,
  object: ApiObject | undefined,
  kind: Resource,
  { patch, patchType }: AdmissionResponse,
): Patched | undefined {
  const operations = patch === '' ? [] : parsePatch(patch);
  if (operations.length === 0) return undefined;
  if (!object)
    throw internalError(
      `admission webhook ${JSON.stringify(name)} attempted to modify the object, which is not supported for this operation`,
    );
  if (patchType !== jsonPatch) throw new WebhookCallError(`unsupported patch type ${goQuote(patchType)}`);
  try {
    const patched = applyJsonPatch(unstructuredJson(object), operations);
    if (!isObject(patched)) throw new DecodeError(`${jsonError} ${notStruct(jsonType(patched))}`);
    checkType(patched, kind);
    // Like kube-apiserver, this compares before defaults are set, which may restore what a patch removed.
    if (kind.custom) {
      const custom = unstructured(kind, patched);
      return { object: custom, isChanged: !jsonEqual(unstructuredJson(custom), unstructuredJson(object)) };
    }
    const isLacking = lacksValue(patched, object);
    const decoded = decodeObjectOf(kind, patched, new StrictErrors());
    return { object: decoded, isChanged: isLacking || !jsonEqual(decoded, object) };
  } catch (error) {
    if (error instanceof JsonPatchError || error instanceof DecodeError) throw internalError(error.message);
    throw error;
  }
}

/** Built-in kinds need not be stated, but those that are stated must be right. */
function checkType(patched: JsonObject, kind: Resource): void {
  const wrong = wrongTypeMeta(patched);
  if (wrong !== undefined) throw new DecodeError(`${jsonError} ${wrong}`);
  const [version, sent] = [patched['apiVersion'] ?? '', patched['kind'] ?? ''].map(String);
  if (version === apiVersionOf(kind) && sent === kind.kind) return;
  if (kind.custom) throw otherCustomType(patched, version ?? '', sent ?? '', kind);
  const stated = { apiVersion: version || apiVersionOf(kind), kind: sent || kind.kind };
  if (stated.apiVersion !== apiVersionOf(kind) || stated.kind !== kind.kind) throw otherType(stated, kind);
}

function otherCustomType(patched: JsonObject, version: string, sent: string, kind: Resource): Error {
  if (sent === '')
    return new DecodeError(`Object 'Kind' is missing in '${JSON.stringify(sortKeys(patched))}'`);
  if (version.split('/').length > 2) return malformedVersion(version);
  if (version === apiVersionOf(kind)) {
    const { name = '' } = isObject(patched['metadata']) ? patched['metadata'] : {};
    const problem = invalid('kind', sent, `must be ${kind.kind}`);
    return invalidObject({ group: kind.group, name: sent }, String(name), [problem]);
  }
  const shown = version.includes('/') ? version : `/${version}`;
  return new StatusError(
    500,
    undefined,
    `${shown}, Kind=${sent} is unstructured and is not suitable for converting to ${goQuote(apiVersionOf(kind))}`,
  );
}

function otherType({ apiVersion, kind: sent }: { apiVersion: string; kind: string }, kind: Resource): Error {
  const parts = apiVersion.split('/');
  if (parts.length > 2) return malformedVersion(apiVersion);
  const [version = '', group = ''] = parts.toReversed();
  if (!goTypeOfKind(group, version, sent))
    return new DecodeError(
      `no kind ${goQuote(sent)} is registered for version ${goQuote(apiVersion)} in scheme "pkg/runtime/scheme.go:111"`,
    );
  const internal = kind.group === '' ? 'core' : kind.group.split('.')[0];
  return new StatusError(
    500,
    undefined,
    `converting (${version}.${sent}) to (${internal}.${kind.kind}): unknown conversion`,
  );
}

function malformedVersion(version: string): DecodeError {
  return new DecodeError(`unexpected GroupVersion string: ${version}`);
}

function parsePatch(text: string): unknown[] {
  let value: unknown;
  try {
    ({ value } = decodeJson(text));
  } catch (error) {
    throw undecodable(error instanceof Error ? error.message : String(error));
  }
  if (value === null) return [];
  if (!Array.isArray(value)) throw wrongType(value, 'Patch');
  const wrong: unknown = value.find((operation) => operation !== null && !isObject(operation));
  if (wrong !== undefined) throw wrongType(wrong, 'Operation');
  return value.map((operation: unknown) => operation ?? {});
}

function wrongType(value: unknown, type: string): WebhookCallError {
  return undecodable(`json: cannot unmarshal ${jsonType(value)} into Go value of type jsonpatch.${type}`);
}

function undecodable(reason: string): WebhookCallError {
  return new WebhookCallError(`received undecodable patch in webhook response: ${reason}`);
}
