import type { ParamKind, ParamRef } from 'ots-kubernetes/admissionregistration/v1';
import type { ApiObject } from '../../json/api-object.ts';
import type { ResourceRegistry } from '../../registry/resource-registry.ts';
import { type Resource, apiVersionOf, keyOf } from '../../registry/resource.ts';
import { isPrepared, prepareView, viewOf } from '../../registry/views.ts';
import { selectorMatcher } from '../../selectors/selector-matcher.ts';
import type { StoredRecord } from '../../storage/stored-record.ts';
import { ConfigurationError } from './configuration-error.ts';

const kinds = new WeakMap<
  ResourceRegistry,
  { generation: number; found: Map<string, Resource | undefined> }
>();

/**
 * The resource of the parameters of a policy.
 *
 * @throws {ConfigurationError} when no resource has that kind
 */
export function paramResource(
  { apiVersion = '', kind = '' }: ParamKind,
  registry: ResourceRegistry,
): Resource {
  const [version = '', group = ''] = apiVersion.split('/').toReversed();
  const { generation } = registry;
  let known = kinds.get(registry);
  if (known?.generation !== generation) kinds.set(registry, (known = { generation, found: new Map() }));
  const id = `${group}/${version}, Kind=${kind}`;
  if (!known.found.has(id)) {
    const isKind = (one: Resource) => one.group === group && one.version === version && one.kind === kind;
    known.found.set(id, registry.all().find(isKind));
  }
  const resource = known.found.get(id);
  if (resource) return resource;
  throw new ConfigurationError(`failed to find resource referenced by paramKind: '${id}'`);
}

/**
 * The parameters that a binding names for a request. Each is evaluated on its own.
 *
 * @param resource undefined for a policy without parameters
 * @param namespace the namespace of the request
 * @returns a single undefined when the expressions see no parameter
 * @throws {ConfigurationError} when the binding does not fit the request, or requires parameters that do not exist
 */
export function collectParams(
  resource: Resource | undefined,
  ref: ParamRef | undefined,
  namespace: string,
): (ApiObject | undefined)[] {
  if (!resource || !ref) return [undefined];
  const params = find(resource, ref, namespace);
  if (params.length === 0 && ref.parameterNotFoundAction === 'Deny')
    throw new ConfigurationError('no params found for policy binding with `Deny` parameterNotFoundAction');
  return params;
}

/**
 * Converts the parameters that a binding names, where a webhook has to. {@link collectParams} reports those that fail.
 *
 * @returns undefined when there is nothing to wait for
 */
export function prepareParams(
  kind: ParamKind | undefined,
  ref: ParamRef | undefined,
  namespace: string,
  registry: ResourceRegistry,
): Promise<unknown> | undefined {
  if (!kind || !ref) return undefined;
  try {
    const resource = paramResource(kind, registry);
    if (!resource.strategy.slowConversion) return undefined;
    const waiting = findRecords(resource, ref, namespace).flatMap(
      (record) => prepareView(resource, record) ?? [],
    );
    return waiting.length === 0 ? undefined : Promise.allSettled(waiting);
  } catch (error) {
    if (error instanceof ConfigurationError) return undefined;
    throw error;
  }
}

function find(resource: Resource, ref: ParamRef, namespace: string): ApiObject[] {
  const objects = findRecords(resource, ref, namespace).map((record) => preparedView(resource, record));
  if (ref.name) return objects;
  const matches = selectorMatcher(ref.selector ?? {});
  return objects.filter(({ metadata }) => matches(metadata.labels));
}

/** What a binding names, or what its selector chooses from. */
function findRecords(resource: Resource, ref: ParamRef, namespace: string): readonly StoredRecord[] {
  const place = namespaceOf(resource, ref, namespace);
  if (!ref.name) return resource.table.list(place === '' ? '' : `${place}/`);
  const record = resource.table.get(keyOf(resource, place, ref.name));
  return record ? [record] : [];
}

function preparedView(resource: Resource, record: StoredRecord): ApiObject {
  if (isPrepared(resource, record)) return viewOf(resource, record);
  const kind = `&ParamKind{APIVersion:${apiVersionOf(resource)},Kind:${resource.kind},}`;
  throw new ConfigurationError(`paramKind kind \`${kind}\` not yet synced to use for admission`);
}

function namespaceOf({ scope }: Resource, { namespace = '' }: ParamRef, ofRequest: string): string {
  if (scope === 'Namespaced') {
    if (namespace !== '') return namespace;
    if (ofRequest !== '') return ofRequest;
    const problem = 'cannot use namespaced paramRef in policy binding that matches cluster-scoped resources';
    throw new ConfigurationError(problem);
  }
  if (namespace === '') return '';
  throw new ConfigurationError('paramRef.namespace must not be provided for a cluster-scoped `paramKind`');
}
