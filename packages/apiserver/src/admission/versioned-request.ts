import type { ApiObject } from '../json/api-object.ts';
import type { AdmissionAttributes } from '../registry/admission.ts';
import type { Resource } from '../registry/resource.ts';
import { convertObject } from './convert-object.ts';

/** A request in the version that a webhook or a policy asks for. */
export interface VersionedRequest {
  readonly attributes: AdmissionAttributes;
  /** The resource in that version. */
  readonly resource: Resource;
  /** The kind of the object in that version. */
  readonly kind: Resource;
  readonly object: ApiObject | undefined;
  readonly oldObject: ApiObject | undefined;
}

/**
 * Converts a request to a version of its resource. The objects of subresources such as `scale` are the same in all.
 *
 * @param resource what rules matched
 */
export function versionedRequest(attributes: AdmissionAttributes, resource: Resource): VersionedRequest {
  const { target, object, oldObject } = attributes;
  if (resource === target.resource || attributes.kind !== target.resource)
    return { attributes, resource, kind: attributes.kind, object, oldObject };
  return {
    attributes,
    resource,
    kind: resource,
    object: object && convertObject(object, target.resource, resource),
    oldObject: oldObject && convertObject(oldObject, target.resource, resource),
  };
}
