import { goQuote } from 'ots-apimachinery/go/go-quote';
import type { AdmissionAttributes } from '../../registry/admission.ts';
import type { Resource } from '../../registry/resource.ts';
import type { Status } from '../../status/status-error.ts';
import { unstructuredJson } from '../../registry/unstructured.ts';
import { nameOf, namespaceOf } from '../../registry/request-identity.ts';
import type { VersionedRequest } from '../versioned-request.ts';
import type { DecodedReview } from './decode-review.ts';
import type { Random } from '../../random/random.ts';
import { WebhookCallError } from '../../webhooks/webhook-call-error.ts';

/** What a webhook decided. */
export interface AdmissionResponse {
  readonly allowed: boolean;
  /** The text of the patch; empty for none. */
  readonly patch: string;
  /** In v1beta1 any type means a JSON patch. */
  readonly patchType: string;
  readonly result: Partial<Status> | undefined;
  readonly warnings: readonly string[];
  /** Without the name of the webhook. */
  readonly auditAnnotations: Readonly<Record<string, string>>;
}

/** A review to send. */
export interface Review {
  readonly apiVersion: string;
  readonly kind: 'AdmissionReview';
  readonly request: { readonly uid: string };
}

const group = 'admission.k8s.io';
/** The only type of patch. */
export const jsonPatch = 'JSONPatch';

/**
 * Writes the AdmissionReview for a webhook, in the first version of its list that the server knows.
 *
 * @throws {WebhookCallError} when the server knows none of them
 */
export function createReview(
  versions: readonly string[],
  invocation: VersionedRequest,
  random: Random,
): Review {
  const version = versions.find((known) => known === 'v1' || known === 'v1beta1');
  if (version === undefined)
    throw new WebhookCallError(
      'could not create admission objects: webhook does not accept known AdmissionReview versions (v1, v1beta1)',
    );
  return {
    kind: 'AdmissionReview',
    apiVersion: `${group}/${version}`,
    request: { uid: random.uuid(), ...requestOf(invocation) },
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
    object: object ? unstructuredJson(object) : null,
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
export function readResponse(answer: DecodedReview, review: Review, mutates: boolean): AdmissionResponse {
  const { response } = answer;
  if (!response) throw invalidResponse('webhook response was absent');
  const {
    uid = '',
    allowed = false,
    status,
    patch = '',
    patchType,
    warnings = [],
    auditAnnotations = {},
  } = response;
  const isCurrent = review.apiVersion === `${group}/v1`;
  if (isCurrent) {
    checkIdentity(answer, uid, review);
    checkPatch(patch, patchType, mutates);
  }
  return {
    allowed,
    patch: mutates ? Buffer.from(patch, 'base64').toString('utf8') : '',
    patchType: isCurrent && patchType !== undefined ? patchType : jsonPatch,
    result: status,
    warnings,
    auditAnnotations,
  };
}

function checkIdentity({ apiVersion, kind }: DecodedReview, uid: string, review: Review): void {
  if (uid !== review.request.uid)
    throw invalidResponse(`expected response.uid=${goQuote(review.request.uid)}, got ${goQuote(uid)}`);
  if (apiVersion === review.apiVersion && kind === review.kind) return;
  const shown = apiVersion.includes('/') ? apiVersion : `/${apiVersion}`;
  throw invalidResponse(
    `expected webhook response of ${review.apiVersion}, Kind=${review.kind}, got ${shown}, Kind=${kind}`,
  );
}

function checkPatch(patch: string, patchType: string | undefined, mutates: boolean): void {
  const [hasPatch, hasType] = [patch !== '', patchType !== undefined];
  if (!mutates) {
    if (hasPatch) throw invalidResponse('validating webhook may not return response.patch');
    if (hasType) throw invalidResponse('validating webhook may not return response.patchType');
    return;
  }
  if (hasPatch && !hasType)
    throw invalidResponse('webhook returned response.patch but not response.patchType');
  if (!hasPatch && hasType)
    throw invalidResponse('webhook returned response.patchType but not response.patch');
  if (patchType === '') throw invalidResponse('webhook returned invalid response.patchType of ""');
}

function invalidResponse(problem: string): WebhookCallError {
  return new WebhookCallError(`received invalid webhook response: ${problem}`);
}
