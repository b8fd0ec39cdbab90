import type { UserInfo } from '../authentication/user-info.ts';
import type { ApiObject } from '../json/api-object.ts';
import type { JsonObject } from '../json/json-object.ts';
import { nameOf, namespaceOf } from '../registry/request-identity.ts';
import type { Resource } from '../registry/resource.ts';
import type { VersionedRequest } from '../admission/versioned-request.ts';

/** The variable `request`: an AdmissionRequest without the objects. */
export function requestValue({ attributes, resource, kind: matchedKind }: VersionedRequest): JsonObject {
  const { target, kind, operation, dryRun, options, user } = attributes;
  const { subresource } = target;
  const [name, namespace] = [nameOf(attributes), namespaceOf(attributes)];
  return {
    uid: '',
    kind: kindValue(matchedKind),
    resource: resourceValue(resource),
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

function kindValue({ group, version, kind }: Resource): JsonObject {
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
