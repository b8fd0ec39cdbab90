import { jsonError, wrongTypeMeta } from '../decoding/type-meta.ts';
import { type JsonObject, isObject } from '../json/json-object.ts';
import { describeKindMismatch } from '../registry/kind-mismatch.ts';
import { type Resource, apiVersionOf } from '../registry/resource.ts';
import { badRequest, invalidObject } from '../status/errors.ts';
import { invalid } from '../status/field-error.ts';
import { unrecognized } from './undecodable.ts';

/**
 * Checks apiVersion and kind of a body. Built-in kinds may omit them, but what they state must be right.
 *
 * @param source the body, for messages
 * @throws {StatusError} 400 or 422 for another type than that of the resource
 */
export function checkTypeMeta(value: JsonObject, resource: Resource, source: string): void {
  const detail = wrongTypeMeta(value);
  if (detail !== undefined) {
    throw unrecognized(resource, `${jsonError} ${detail}`, Buffer.from(source));
  }
  const [apiVersion, kind] = [textOf(value['apiVersion']), textOf(value['kind'])];
  if (resource.custom) checkCustomTypeMeta(apiVersion, kind, { value, resource, source });
  else checkBuiltInType(apiVersion, kind, resource);
}

/** The resource in the version that a body states, if that has the same fields. */
export function inSentVersion(resource: Resource, apiVersion: unknown): Resource {
  const version = resource.equivalentVersions?.find((twin) => apiVersion === `${resource.group}/${twin}`);
  return version === undefined ? resource : { ...resource, version };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/**
 * Checks the type of an object of a built-in kind. Empty fields default to the type of the endpoint.
 *
 * @throws {StatusError} 400 for another type than that of the resource
 */
export function checkBuiltInType(apiVersion: string, kind: string, resource: Resource): void {
  const sent = { apiVersion: apiVersion || apiVersionOf(resource), kind: kind || resource.kind };
  const mismatch = describeKindMismatch(sent, resource);
  if (mismatch !== undefined) throw badRequest(mismatch);
}

function checkCustomTypeMeta(
  apiVersion: string,
  kind: string,
  { value, resource, source }: { value: JsonObject; resource: Resource; source: string },
): void {
  if (kind === '') {
    throw unrecognized(resource, `Object 'Kind' is missing in '${source}'`, Buffer.from(source));
  }
  const expected = apiVersionOf(resource);
  if (apiVersion !== expected) {
    throw badRequest(
      `the API version in the data (${apiVersion}) does not match the expected API version (${expected})`,
    );
  }
  if (kind !== resource.kind) throw otherType(value, resource);
}

/** A custom resource of another kind or version is invalid, not undecodable. */
export function otherType(value: JsonObject, resource: Resource): Error {
  const { apiVersion, kind, metadata } = value;
  const expected = apiVersionOf(resource);
  const [group = ''] =
    typeof apiVersion === 'string' && apiVersion.includes('/') ? apiVersion.split('/') : [''];
  const name = isObject(metadata) && typeof metadata['name'] === 'string' ? metadata['name'] : '';
  return invalidObject({ group, name: typeof kind === 'string' ? kind : '' }, name, [
    ...(kind === resource.kind ? [] : [invalid('kind', kind, `must be ${resource.kind}`)]),
    ...(apiVersion === expected ? [] : [invalid('apiVersion', apiVersion, `must be ${expected}`)]),
  ]);
}
