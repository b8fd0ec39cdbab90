import { randomUUID } from 'node:crypto';
import type { AdmissionAttributes } from '../../registry/admission.ts';
import type { Resource } from '../../registry/resource.ts';
import { isObject } from '../../json/json-object.ts';
import type { Status } from '../../status/status-error.ts';
import { nameOf, namespaceOf } from '../../registry/request-identity.ts';
import type { VersionedRequest } from '../versioned-request.ts';
import { WebhookCallError } from '../../webhooks/call-webhook.ts';

/** What a webhook decided. */
export interface AdmissionResponse {
  readonly allowed: boolean;
  readonly patch: string;
  readonly result: Partial<Status> | undefined;
  readonly warnings: readonly string[];
}

/** A review to send. */
interface Review {
  readonly apiVersion: string;
  readonly kind: 'AdmissionReview';
  readonly request: { readonly uid: string };
}

const group = 'admission.k8s.io';

/**
 * Writes the AdmissionReview for a webhook, in the first version of its list that the server knows.
 *
 * @throws {WebhookCallError} when the server knows none of them
 */
export function createReview(versions: readonly string[], invocation: VersionedRequest): Review {
  const version = versions.find((known) => known === 'v1' || known === 'v1beta1');
  if (version === undefined)
    throw new WebhookCallError(
      'could not create admission objects: webhook does not accept known AdmissionReview versions (v1, v1beta1)',
    );
  return {
    kind: 'AdmissionReview',
    apiVersion: `${group}/${version}`,
    request: { uid: randomUUID(), ...requestOf(invocation) },
  };
}

function requestOf({ attributes, resource, kind, object, oldObject }: VersionedRequest): object {
  const { target, user, operation, dryRun, options } = attributes;
  const { subresource } = target;
  const [name, namespace] = [nameOf(attributes), namespaceOf(attributes)];
  return {
    kind: gvk(kind),
    resource: gvr(resource),
    ...(subresource !== '' && { subResource: subresource }),
    requestKind: gvk(attributes.kind),
    requestResource: gvr(target.resource),
    ...(subresource !== '' && { requestSubResource: subresource }),
    ...(name !== '' && { name }),
    ...(namespace !== '' && { namespace }),
    operation,
    userInfo: userInfoOf(user),
    object: object ?? null,
    oldObject: oldObject ?? null,
    dryRun,
    options: options ?? null,
  };
}

function userInfoOf({ name, uid, groups, extra }: AdmissionAttributes['user']): object {
  return {
    ...(name !== '' && { username: name }),
    ...(uid !== undefined && uid !== '' && { uid }),
    ...(groups.length > 0 && { groups }),
    ...(extra && Object.keys(extra).length > 0 && { extra }),
  };
}

function gvk({ group: of, version, kind }: Resource): object {
  return { group: of, version, kind };
}

function gvr({ group: of, version, plural }: Resource): object {
  return { group: of, version, resource: plural };
}

/**
 * Reads the response of a webhook.
 *
 * @param review what it was sent
 * @param mutates whether the webhook may change the object
 * @throws {WebhookCallError} when the response cannot be used
 */
export function readResponse(
  answer: Record<string, unknown>,
  review: Review,
  mutates: boolean,
): AdmissionResponse {
  const { response } = answer;
  if (!isObject(response)) throw invalidResponse('webhook response was absent');
  const isCurrent = review.apiVersion === `${group}/v1`;
  if (isCurrent) checkIdentity(answer, response, review);
  const patch = textOf(response['patch']);
  if (isCurrent) checkPatch(patch, response['patchType'], mutates);
  const { status } = response;
  return {
    allowed: response['allowed'] === true,
    patch: mutates ? Buffer.from(patch, 'base64').toString('utf8') : '',
    result: isObject(status) ? status : undefined,
    warnings: Array.isArray(response['warnings']) ? response['warnings'].map(textOf) : [],
  };
}

function checkIdentity(
  answer: Record<string, unknown>,
  { uid }: Record<string, unknown>,
  review: Review,
): void {
  const { request, apiVersion, kind } = review;
  if (uid !== request.uid)
    throw invalidResponse(
      `expected response.uid=${JSON.stringify(request.uid)}, got ${JSON.stringify(textOf(uid))}`,
    );
  if (answer['apiVersion'] === apiVersion && answer['kind'] === kind) return;
  const got = textOf(answer['apiVersion']);
  const shown = got.includes('/') ? got : `/${got}`;
  throw invalidResponse(
    `expected webhook response of ${apiVersion}, Kind=${kind}, got ${shown}, Kind=${textOf(answer['kind'])}`,
  );
}

function checkPatch(patch: string, patchType: unknown, mutates: boolean): void {
  const hasType = typeof patchType === 'string';
  if (!mutates) {
    if (patch !== '') throw invalidResponse('validating webhook may not return response.patch');
    if (hasType) throw invalidResponse('validating webhook may not return response.patchType');
    return;
  }
  if (patch !== '' && !hasType)
    throw invalidResponse('webhook returned response.patch but not response.patchType');
  if (patch === '' && hasType)
    throw invalidResponse('webhook returned response.patchType but not response.patch');
  if (patchType === '') throw invalidResponse('webhook returned invalid response.patchType of ""');
  if (hasType && patchType !== 'JSONPatch')
    throw new WebhookCallError(`unsupported patch type ${JSON.stringify(patchType)}`);
}

function invalidResponse(problem: string): WebhookCallError {
  return new WebhookCallError(`received invalid webhook response: ${problem}`);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
