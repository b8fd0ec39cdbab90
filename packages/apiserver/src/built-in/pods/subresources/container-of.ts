import type { Pod } from 'ots-kubernetes/core/v1';
import type { BuiltInObject } from '../../../json/built-in-object.ts';
import { badRequest, notFound } from '../../../status/errors.ts';
import { keyOf, resourceName } from '../../../registry/resource.ts';
import type { Target } from '../../../registry/target.ts';
import { viewOf } from '../../../registry/views.ts';

/**
 * The pod of a request.
 *
 * @throws {StatusError} 404
 */
export function podOf({ resource, namespace, name }: Target): BuiltInObject<Pod> {
  const record = resource.table.get(keyOf(resource, namespace, name));
  if (!record) throw notFound(resourceName(resource), name);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is stored was decoded
  return viewOf(resource, record) as BuiltInObject<Pod>;
}

/**
 * The container that a request addresses: the named one, or the only one.
 *
 * @param asked the name in the request; empty for none
 * @throws {StatusError} 400
 */
export function containerOf({ metadata: { name }, spec }: BuiltInObject<Pod>, asked: string): string {
  const { containers = [], initContainers = [], ephemeralContainers = [] } = spec ?? {};
  const names = [...initContainers, ...containers, ...ephemeralContainers].map((container) => container.name);
  if (asked !== '') {
    if (names.includes(asked)) return asked;
    throw badRequest(`container ${asked} is not valid for pod ${name}`);
  }
  const [only] = containers;
  if (only?.name !== undefined && containers.length === 1) return only.name;
  const choices = containers.length === 0 ? '' : `, choose one of: [${names.join(' ')}]`;
  throw badRequest(`a container name must be specified for pod ${name}${choices}`);
}
