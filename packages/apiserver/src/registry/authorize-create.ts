import { notAuthorized } from '../authorization/forbidden.ts';
import { isMaster } from '../authorization/rbac-authorizer.ts';
import type { OwnMachinery } from './machinery.ts';
import type { Target, WriteOptions } from './target.ts';

/**
 * Checks that a user who may update or patch a missing object may also create it.
 *
 * @throws {StatusError} 403
 */
export function authorizeCreate(
  { authorizer }: OwnMachinery,
  { resource, namespace, name }: Target,
  { user }: WriteOptions,
): void {
  if (isMaster(user)) return;
  const { group, version, plural } = resource;
  const attributes = {
    user,
    verb: 'create',
    group,
    version,
    resource: plural,
    subresource: '',
    namespace,
    name,
  };
  const { allowed, reason } = authorizer.authorize(attributes);
  if (!allowed) throw notAuthorized(attributes, reason);
}
