import { type JsonObject, isObject } from '../../json/json-object.ts';
import { jsonType } from '../../decoding/mismatches.ts';
import type { Random } from '../../random/random.ts';
import { WebhookCallError } from '../../webhooks/webhook-call-error.ts';

/** A review to send. */
interface ConversionReview {
  readonly apiVersion: string;
  readonly kind: 'ConversionReview';
  readonly request: {
    readonly uid: string;
    readonly desiredAPIVersion: string;
    readonly objects: readonly JsonObject[];
  };
}

const group = 'apiextensions.k8s.io';
const registered = new Set([`${group}/v1`, `${group}/v1beta1`]);

/** Writes the ConversionReview for an object, in the first version of the webhook's list that the server knows. */
export function createReview(
  versions: readonly string[],
  object: JsonObject,
  desiredAPIVersion: string,
  random: Random,
): ConversionReview {
  const version = versions.find((known) => known === 'v1' || known === 'v1beta1');
  if (version === undefined) throw new WebhookCallError('no supported conversion review versions');
  return {
    kind: 'ConversionReview',
    apiVersion: `${group}/${version}`,
    request: { uid: random.uuid(), desiredAPIVersion, objects: [object] },
  };
}

/**
 * Reads the response of a webhook.
 *
 * @param review what it was sent
 * @returns the converted objects, which are not checked
 * @throws {WebhookCallError} when the webhook failed, or the response is not one to the review
 */
export function readResponse(answer: JsonObject, { apiVersion, kind, request }: ConversionReview): unknown[] {
  const isCurrent = apiVersion === `${group}/v1`;
  checkRegistered(answer, apiVersion);
  checkShape(answer);
  if (isCurrent && typeOf(answer) !== typeOf({ apiVersion, kind }))
    throw new WebhookCallError(
      `expected webhook response of ${typeOf({ apiVersion, kind })}, got ${typeOf(answer)}`,
    );
  const { response } = answer;
  if (!isObject(response)) throw new WebhookCallError('no response provided');
  const { uid, result, convertedObjects } = response;
  if (isCurrent && uid !== request.uid)
    throw new WebhookCallError(
      `expected response.uid=${JSON.stringify(request.uid)}, got ${JSON.stringify(textOf(uid))}`,
    );
  const { status, message } = isObject(result) ? result : {};
  if (status !== 'Success')
    throw new WebhookCallError(
      textOf(message) || `response.result.status was '${textOf(status)}', not 'Success'`,
    );
  return Array.isArray(convertedObjects) ? (convertedObjects as unknown[]) : [];
}

/** Refuses an answer of a type that cannot be read as a review of the version sent. A missing part of the type is assumed. */
function checkRegistered(answer: JsonObject, apiVersion: string): void {
  const [version, kind] = [
    textOf(answer['apiVersion']) || apiVersion,
    textOf(answer['kind']) || 'ConversionReview',
  ];
  if (kind !== 'ConversionReview' || !registered.has(version))
    throw new WebhookCallError(
      `no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(version)} in scheme "pkg/runtime/scheme.go:111"`,
    );
  if (version !== apiVersion) {
    const [from, to] = [version, apiVersion].map((of) => `(${of.slice(group.length + 1)}.${kind})`);
    throw new WebhookCallError(`converting ${from} to ${to}: unknown conversion`);
  }
}

/** Refuses an answer that Go cannot decode. */
function checkShape({ apiVersion, response }: JsonObject): void {
  const version = textOf(apiVersion).endsWith('v1beta1') ? 'v1beta1' : 'v1';
  checkType(response, 'object', 'ConversionReview.response', `${version}.ConversionResponse`);
  if (!isObject(response)) return;
  const { uid, result, convertedObjects } = response;
  checkType(uid, 'string', 'ConversionResponse.response.uid', 'types.UID');
  checkType(
    convertedObjects,
    'array',
    'ConversionResponse.response.convertedObjects',
    '[]runtime.RawExtension',
  );
  checkType(result, 'object', 'ConversionResponse.response.result', 'v1.Status');
  if (!isObject(result)) return;
  for (const field of ['status', 'message'])
    checkType(result[field], 'string', `Status.response.result.${field}`, 'string');
}

function checkType(value: unknown, type: string, field: string, goType: string): void {
  if (value === undefined || value === null || jsonType(value) === type) return;
  throw new WebhookCallError(
    `json: cannot unmarshal ${jsonType(value)} into Go struct field ${field} of type ${goType}`,
  );
}

/** `group/version, Kind=kind`, as messages name a type. */
export function typeOf({ apiVersion, kind }: JsonObject): string {
  const version = textOf(apiVersion);
  return `${version.includes('/') ? version : `/${version}`}, Kind=${textOf(kind)}`;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
