import { StatusError } from '../status/status-error.ts';
import { forbidden, notFound } from '../status/errors.ts';
import type { Machinery } from './machinery.ts';
import type { Target } from './target.ts';
import { resourceName } from './resource.ts';

const protectedNamespaces = new Set(['default', 'kube-system', 'kube-public']);

/**
 * Allows creation only in namespaces that exist and are not being deleted.
 *
 * @throws {StatusError} 404 for a missing namespace, 403 for one that is being deleted
 */
export function admitCreate({ registry }: Machinery, target: Target, name: string): void {
  const { createForbidden } = target.resource;
  if (createForbidden !== undefined) throw forbidden(resourceName(target.resource), name, createForbidden);
  if (target.resource.scope !== 'Namespaced') return;
  const namespace = registry.find('', 'v1', 'namespaces')?.table.get(target.namespace);
  if (!namespace) throw notFound({ group: '', name: 'namespaces' }, target.namespace);
  if (namespace.object.metadata.deletionTimestamp === undefined) return;
  const detail = `unable to create new content in namespace ${target.namespace} because it is being terminated`;
  const { status } = forbidden(resourceName(target.resource), name, detail);
  throw new StatusError(status.code, status.reason, status.message, {
    ...status.details,
    causes: [
      {
        reason: 'NamespaceTerminating',
        message: `namespace ${target.namespace} is being terminated`,
        field: 'metadata.namespace',
      },
    ],
  });
}

/**
 * Refuses to delete the namespaces that every cluster has.
 *
 * @throws {StatusError} 403
 */
export function admitDelete({ resource, name }: Target): void {
  if (resource.custom || resource.plural !== 'namespaces' || !protectedNamespaces.has(name)) return;
  throw forbidden(resourceName(resource), name, 'this namespace may not be deleted');
}
