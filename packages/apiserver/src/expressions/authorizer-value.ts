import type { AccessAnswer, AccessQuestion, Authorizer, ResourceCheck } from 'ots-cel';
import { type UserInfo, serviceAccountGroups, serviceAccountUser } from '../authentication/user-info.ts';
import type { Decision } from '../authorization/attributes.ts';
import type { Authorizer as ServerAuthorizer } from '../authorization/authorizer.ts';
import { cel } from '../crd/rules/cel.ts';
import type { AdmissionAttributes } from '../registry/admission.ts';
import { nameOf, namespaceOf } from '../registry/request-identity.ts';

/** The variables `authorizer` and `authorizer.requestResource` of a request. */
export function authorizerValues(
  server: ServerAuthorizer,
  attributes: AdmissionAttributes,
): { authorizer: Authorizer; 'authorizer.requestResource': ResourceCheck } {
  const { Authorizer: AuthorizerValue, ResourceCheck: ResourceCheckValue } = cel();
  const authorizer = new AuthorizerValue((question) => answer(server, attributes.user, question));
  const { resource, subresource } = attributes.target;
  const requested = {
    group: resource.group,
    resource: resource.plural,
    subresource,
    namespace: namespaceOf(attributes),
    name: nameOf(attributes),
  };
  return { authorizer, 'authorizer.requestResource': new ResourceCheckValue(authorizer, requested) };
}

function answer(server: ServerAuthorizer, user: UserInfo, question: AccessQuestion): AccessAnswer {
  const { serviceAccount, verb } = question;
  const asker: UserInfo = serviceAccount
    ? {
        name: serviceAccountUser(serviceAccount.namespace, serviceAccount.name),
        groups: serviceAccountGroups(serviceAccount.namespace),
      }
    : user;
  const decision: Decision =
    'path' in question
      ? server.authorize({ user: asker, verb, path: question.path })
      : server.authorize({ ...question, user: asker, version: '*' });
  return { allowed: decision.allowed, reason: decision.reason };
}
