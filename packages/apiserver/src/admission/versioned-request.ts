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
 * @returns a promise only where a webhook converts the objects
 * @throws {StatusError} 500 when the webhook fails
 */
export function versionedRequest(
  attributes: AdmissionAttributes,
  resource: Resource,
): VersionedRequest | Promise<VersionedRequest> {
  const { target, object, oldObject } = attributes;
  if (resource === target.resource || attributes.kind !== target.resource)
    return { attributes, resource, kind: attributes.kind, object, oldObject };
  const versioned = { attributes, resource, kind: resource };
  const convert = (state: ApiObject | undefined) => state && convertObject(state, target.resource, resource);
  const [old, converted] = [convert(oldObject), convert(object)];
  if (!(converted instanceof Promise) && !(old instanceof Promise))
    return { ...versioned, object: converted, oldObject: old };
  return Promise.all([converted, old]).then(([now, before]) => ({
    ...versioned,
    object: now,
    oldObject: before,
  }));
}
