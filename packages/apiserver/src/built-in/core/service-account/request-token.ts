import { goQuote } from 'ots-apimachinery/go/go-quote';
import type { BoundObjectReference, TokenRequest } from 'ots-kubernetes/authentication/v1';
import type { Pod } from 'ots-kubernetes/core/v1';
import {
  type NamedObject,
  type TokenBinding,
  tokenIssuer,
} from '../../../authentication/service-account-tokens.ts';
import type { BuiltInObject } from '../../../json/built-in-object.ts';
import type { ApiObject } from '../../../json/api-object.ts';
import { type Machinery, timeOf, timestamp } from '../../../registry/machinery.ts';
import { type Answer, keyOf, resourceName } from '../../../registry/resource.ts';
import type { Target } from '../../../registry/target.ts';
import { badRequest, conflict, invalidObject, notFound } from '../../../status/errors.ts';
import { type FieldError, invalid } from '../../../status/field-error.ts';

const kind = { group: 'authentication.k8s.io', name: 'TokenRequest' };
const minSeconds = 600;
const maxSeconds = 2 ** 32;

/**
 * Completes a request for a token of a ServiceAccount. Changes it.
 *
 * @throws {StatusError} 404 when the account does not exist, 409 when it has another UID, 422 for an invalid request
 */
export function completeTokenRequest(machinery: Machinery, target: Target, body: ApiObject): void {
  checkName(body, target.name);
  const account = accountOf(target);
  checkAccountUid(body, account);
  const { audiences, boundObjectRef = null, expirationSeconds = 0 } = specOf(body);
  const isAddressed = audiences && audiences.length > 0;
  body['spec'] = { audiences: isAddressed ? audiences : [tokenIssuer], boundObjectRef, expirationSeconds };
  body['status'] = { token: '', expirationTimestamp: null };
  Object.assign(body.metadata, nameOf(account), { creationTimestamp: timestamp(machinery) });
  const errors = checkSeconds(expirationSeconds);
  if (errors.length > 0) throw invalidObject(kind, '', errors);
}

/**
 * Issues a token of a ServiceAccount.
 *
 * @param body a complete request
 * @throws {StatusError} 404 when the account or the object to bind the token to does not exist
 */
export const requestToken: Answer = (machinery, target, body, { audit }) => {
  const { namespace } = target;
  const account = nameOf(accountOf(target));
  const { audiences = [], boundObjectRef, expirationSeconds: seconds = 0 } = specOf(body);
  const binding = boundObjectRef ? bind(machinery, namespace, account, boundObjectRef) : {};
  const { token, id, expires } = machinery.tokens.issue(namespace, account, { audiences, seconds, binding });
  audit?.add('authentication.kubernetes.io/issued-credential-id', id);
  return { ...body, status: { token, expirationTimestamp: timeOf(expires) } };
};

function accountOf({ resource, namespace, name }: Target): ApiObject {
  const record = resource.table.get(keyOf(resource, namespace, name));
  if (!record) throw notFound(resourceName(resource), name);
  return record.object;
}

function specOf(body: ApiObject): Partial<NonNullable<TokenRequest['spec']>> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- decoding a body gives every field its type
  return (body as BuiltInObject<Partial<Pick<TokenRequest, 'spec'>>>).spec ?? {};
}

function checkName({ metadata: { name: sent = '' } }: ApiObject, name: string): void {
  if (sent === '' || sent === name) return;
  const problem = 'must match the service account name if specified';
  throw invalidObject(kind, name, [invalid('metadata.name', sent, problem)]);
}

function checkAccountUid({ metadata: { uid: sent = '' } }: ApiObject, account: ApiObject): void {
  const { name = '', uid = '' } = account.metadata;
  if (sent === '' || sent === uid) return;
  const detail = `the UID in the token request (${sent}) does not match the UID of the service account (${uid})`;
  throw conflict(kind, name, detail);
}

function checkSeconds(seconds: number): FieldError[] {
  const error = (problem: string) => [invalid('spec.expirationSeconds', seconds, problem)];
  if (seconds < minSeconds) return error('may not specify a duration less than 10 minutes');
  return seconds > maxSeconds ? error('may not specify a duration larger than 2^32 seconds') : [];
}

/** Looks up the object that a token is bound to. A pod also brings its node. */
function bind(
  machinery: Machinery,
  namespace: string,
  account: NamedObject,
  { apiVersion = '', kind: boundKind = '', name = '', uid = '' }: BoundObjectReference,
): TokenBinding {
  const find = (plural: string, key: string) =>
    machinery.registry.find('', 'v1', plural)?.table.get(key)?.object;
  const found = (plural: string, key: string) => {
    const object = find(plural, key);
    if (!object) throw notFound({ group: '', name: plural }, name);
    if (uid !== '' && uid !== object.metadata.uid)
      throw conflict(
        { group: '', name: boundKind },
        name,
        `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`,
      );
    return object;
  };
  const key = `${namespace}/${name}`;
  switch (apiVersion === 'v1' ? boundKind : '') {
    case 'Pod': {
      const pod = found('pods', key);
      const { serviceAccountName = '', nodeName = '' } = podSpecOf(pod);
      if (serviceAccountName !== account.name)
        throw badRequest(
          `cannot bind token for serviceaccount ${goQuote(account.name)} to pod running with different serviceaccount name.`,
        );
      const node = find('nodes', nodeName);
      return { ...(node && { node: nameOf(node) }), pod: nameOf(pod) };
    }
    case 'Node':
      return { node: nameOf(found('nodes', name)) };
    case 'Secret':
      return { secret: nameOf(found('secrets', key)) };
    default: {
      const [version = '', group = ''] = apiVersion.split('/').toReversed();
      throw badRequest(`cannot bind token to object of type ${group}/${version}, Kind=${boundKind}`);
    }
  }
}

function podSpecOf(pod: ApiObject): Partial<NonNullable<Pod['spec']>> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- stored pods are decoded and valid
  return (pod as BuiltInObject<Pod>).spec ?? {};
}

function nameOf({ metadata: { name = '', uid = '' } }: ApiObject): NamedObject {
  return { name, uid };
}
