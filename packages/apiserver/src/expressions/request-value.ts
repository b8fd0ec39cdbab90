import type { UserInfo } from '../authentication/user-info.ts';
import type { ApiObject } from '../json/api-object.ts';
import type { JsonObject } from '../json/json-object.ts';
import type { AdmissionAttributes } from '../registry/admission.ts';
import type { Resource } from '../registry/resource.ts';

/** A kind in a version of its group. */
export interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** The resource and the kind that a rule matched: those of the request, or equivalent ones. */
export interface Matched {
  readonly resource: Resource;
  readonly kind: GroupVersionKind;
}

/** The namespace of a request. A Namespace is in the namespace of its name. */
export function namespaceOf({ target: { resource, namespace }, name }: AdmissionAttributes): string {
  return isNamespace(resource) ? name : namespace;
}

/** Whether a resource is that of the Namespaces. */
export function isNamespace({ group, plural }: Resource): boolean {
  return group === '' && plural === 'namespaces';
}

/** The variable `request`: an AdmissionRequest without the objects. */
export function requestValue(attributes: AdmissionAttributes, matched: Matched): JsonObject {
  const { target, kind, name, operation, dryRun, options, user } = attributes;
  const { subresource } = target;
  const namespace = namespaceOf(attributes);
  return {
    uid: '',
    kind: kindValue(matched.kind),
    resource: resourceValue(matched.resource),
    ...(subresource !== '' && { subResource: subresource }),
    requestKind: kindValue(kind),
    requestResource: resourceValue(target.resource),
    ...(subresource !== '' && { requestSubResource: subresource }),
    ...(name !== '' && { name }),
    ...(namespace !== '' && { namespace }),
    operation,
    userInfo: userValue(user),
    object: null,
    oldObject: null,
    dryRun,
    options: options ?? null,
  };
}

function kindValue({ group, version, kind }: GroupVersionKind): JsonObject {
  return { group, version, kind };
}

function resourceValue({ group, version, plural }: Resource): JsonObject {
  return { group, version, resource: plural };
}

function userValue({ name, uid, groups, extra }: UserInfo): JsonObject {
  return {
    ...(name !== '' && { username: name }),
    ...(uid !== undefined && uid !== '' && { uid }),
    ...(groups.length > 0 && { groups }),
    ...(extra && Object.keys(extra).length > 0 && { extra }),
  };
}

/** The variable `namespaceObject`: a Namespace without the fields that change without its author. */
export function namespaceValue({ metadata, spec, status }: ApiObject): JsonObject {
  const { managedFields: _managers, ownerReferences: _owners, selfLink: _link, ...shown } = metadata;
  return { metadata: shown, spec: spec ?? {}, status: status ?? {} };
}
