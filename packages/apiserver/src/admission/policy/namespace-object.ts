import type { ApiObject } from '../../json/api-object.ts';
import type { AdmissionAttributes } from '../../registry/admission.ts';
import { isNamespaces } from '../../registry/request-identity.ts';
import type { ResourceRegistry } from '../../registry/resource-registry.ts';

/** The namespace that `namespaceObject` shows: none for cluster-scoped objects, also for Namespaces. */
export function namespaceObject(
  { target: { resource, namespace } }: AdmissionAttributes,
  registry: ResourceRegistry,
): ApiObject | undefined {
  if (namespace === '' || isNamespaces(resource)) return undefined;
  return registry.find('', 'v1', 'namespaces')?.table.get(namespace)?.object;
}
