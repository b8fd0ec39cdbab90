import type { ResourceRegistry } from '../registry/resource-registry.ts';
import { resourceName } from '../registry/resource.ts';
import type { Target } from '../registry/target.ts';
import { notFound, resourceNotFound } from '../status/errors.ts';
import { PageNotFoundError } from './page-not-found-error.ts';

/** What a path below `/api` and `/apis` addresses. */
export type Route =
  | { type: 'groups' }
  | { type: 'core-versions' }
  | { type: 'group'; group: string }
  | GroupVersionRoute
  | ObjectRoute;

/** The list of resources of one version. */
interface GroupVersionRoute {
  type: 'resources';
  group: string;
  version: string;
}

/** Objects of a resource. */
interface ObjectRoute extends Target {
  type: 'objects';
}

/**
 * Resolves a path.
 *
 * @throws {PageNotFoundError} for a path outside of every group, or of a custom resource that is not served
 * @throws {StatusError} 404 for a path that a built-in group does not have
 */
export function route(segments: readonly string[], registry: ResourceRegistry): Route {
  if (segments[0] === 'api') {
    if (segments.length === 1) return { type: 'core-versions' };
    return routeGroupVersion('', segments[1] ?? '', segments.slice(2), registry);
  }
  if (segments[0] !== 'apis') throw new PageNotFoundError();
  const [, group = '', version = '', ...rest] = segments;
  if (segments.length === 1) return { type: 'groups' };
  if (segments.length > 2) return routeGroupVersion(group, version, rest, registry);
  if (!registry.hasGroup(group)) throw new PageNotFoundError();
  return { type: 'group', group };
}

function routeGroupVersion(
  group: string,
  version: string,
  rest: readonly string[],
  registry: ResourceRegistry,
): Route {
  const missing = () => (registry.isBuiltInGroup(group) ? resourceNotFound() : new PageNotFoundError());
  if (!registry.hasVersion(group, version)) throw missing();
  if (rest.length === 0) return { type: 'resources', group, version };
  const isWatch = rest[0] === 'watch';
  const { namespace, parts } = splitNamespace(isWatch ? rest.slice(1) : rest, group);
  const [plural = '', name = '', subresource = '', ...beyond] = parts;
  const resource = registry.find(group, version, plural);
  // Paths below a proxy belong to the target.
  if (!resource || (beyond.length > 0 && subresource !== 'proxy')) throw missing();
  const isNamespaced = resource.scope === 'Namespaced';
  // Resources that are not stored have no list and no named objects.
  if (resource.answer && (name !== '' || (isNamespaced && namespace === ''))) throw missing();
  // Only the list over all namespaces omits the namespace of a namespaced resource.
  if (isNamespaced ? namespace === '' && name !== '' : namespace !== '') throw missing();
  if (subresource !== '' && !resource.subresources.some((known) => known.name === subresource)) {
    throw resource.custom ? notFound(resourceName(resource), name) : resourceNotFound();
  }
  return { type: 'objects', resource, namespace, name, subresource, isWatch };
}

/** `namespaces/x` and its subresources address the Namespace itself; longer paths address the objects in it. */
function splitNamespace(
  rest: readonly string[],
  group: string,
): { namespace: string; parts: readonly string[] } {
  const isPrefix = rest[0] === 'namespaces' && rest.length > 2;
  const isNamespaceItself =
    group === '' && rest.length === 3 && ['status', 'finalize'].includes(rest[2] ?? '');
  return isPrefix && !isNamespaceItself
    ? { namespace: rest[1] ?? '', parts: rest.slice(2) }
    : { namespace: '', parts: rest };
}
