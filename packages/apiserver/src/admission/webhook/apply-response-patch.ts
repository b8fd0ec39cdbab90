import { goQuote } from 'ots-apimachinery/go/go-quote';
import { DecodeError } from '../../decoding/decode-error.ts';
import { StrictErrors } from '../../decoding/strict-errors.ts';
import type { ApiObject } from '../../json/api-object.ts';
import { decodeJson } from '../../json/decode-json.ts';
import { isObject } from '../../json/json-object.ts';
import { JsonPatchError, applyJsonPatch } from '../../patch/json-patch.ts';
import { decodeObjectOf } from '../../registry/decode-object.ts';
import type { Resource } from '../../registry/resource.ts';
import { internalError } from '../../status/errors.ts';
import { type AdmissionResponse, jsonPatch } from './admission-review.ts';
import { WebhookCallError } from '../../webhooks/call-webhook.ts';

/**
 * Applies the patch of a mutating webhook.
 *
 * @param object the object as the webhook saw it; it is not changed
 * @param kind its kind
 * @param response its patch is the JSON text of a JSON patch; empty for none
 * @returns the new object with defaults; undefined when the patch contains no operation
 * @throws {WebhookCallError} when the text is not a JSON patch
 * @throws {StatusError} 500 when the patch does not apply
 */
export function applyResponsePatch(
  name: string,
  object: ApiObject | undefined,
  kind: Resource,
  { patch, patchType }: AdmissionResponse,
): ApiObject | undefined {
  const operations = patch === '' ? [] : parsePatch(patch);
  if (operations.length === 0) return undefined;
  if (!object)
    throw internalError(
      `admission webhook ${JSON.stringify(name)} attempted to modify the object, which is not supported for this operation`,
    );
  if (patchType !== jsonPatch) throw new WebhookCallError(`unsupported patch type ${goQuote(patchType)}`);
  try {
    const patched = applyJsonPatch(object, operations);
    if (!isObject(patched)) throw new JsonPatchError('the patch replaced the object with another value');
    return decodeObjectOf(kind, patched, new StrictErrors());
  } catch (error) {
    if (error instanceof JsonPatchError || error instanceof DecodeError) throw internalError(error.message);
    throw error;
  }
}

function parsePatch(text: string): unknown[] {
  let value: unknown;
  try {
    ({ value } = decodeJson(text));
  } catch (error) {
    throw undecodable(error instanceof Error ? error.message : String(error));
  }
  if (value === null) return [];
  if (Array.isArray(value)) return value;
  throw undecodable('json: cannot unmarshal object into Go value of type jsonpatch.Patch');
}

function undecodable(reason: string): WebhookCallError {
  return new WebhookCallError(`received undecodable patch in webhook response: ${reason}`);
}
