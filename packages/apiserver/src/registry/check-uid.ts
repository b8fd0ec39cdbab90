import { conflict } from '../status/errors.ts';
import type { StatusError } from '../status/status-error.ts';
import type { StoredRecord } from '../storage/stored-record.ts';
import { type Resource, resourceName } from './resource.ts';
import type { Target } from './target.ts';

/** Resources that a real server stores under another name. */
const storedAs = new Map([
  ['/endpoints', 'services/endpoints'],
  ['/nodes', 'minions'],
  ['/replicationcontrollers', 'controllers'],
  ['/services', 'services/specs'],
  ['networking.k8s.io/ingresses', 'ingress'],
]);
const storedByGroup = new Set(['apiextensions.k8s.io', 'apiregistration.k8s.io']);

/**
 * Checks that an update is about the existing object, not an earlier one of the same name.
 *
 * @param uid the UID in the request
 * @param record the existing object, if any
 * @param write whether it is a dry run, which keys in messages show
 * @throws {StatusError} 409
 */
export function checkUid(
  target: Target,
  uid: string | undefined,
  record: StoredRecord | undefined,
  write: { readonly dryRun: boolean },
): void {
  const stored = record?.object.metadata.uid ?? '';
  if (uid === undefined || uid === stored) return;
  throw preconditionFailed(target, { field: 'UID', sent: uid, stored }, write);
}

/** What a write expects of the stored object. */
interface Precondition {
  readonly field: 'UID' | 'ResourceVersion';
  readonly sent: string;
  readonly stored: string;
}

/** Refuses a write whose preconditions do not hold, in the words of a real server's storage. */
export function preconditionFailed(
  { resource, namespace, name }: Target,
  { field, sent, stored }: Precondition,
  { dryRun }: { readonly dryRun: boolean },
): StatusError {
  // A dry run does not reach the database, where keys have a prefix.
  const parts = [dryRun ? '' : '/registry', `/${storagePath(resource)}`, `/${namespace}`, `/${name}`];
  const path = parts.filter((part) => part !== '/').join('');
  return conflict(
    resourceName(resource),
    name,
    `StorageError: invalid object, Code: 4, Key: ${path}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: ${field} in precondition: ${sent}, ${field} in object meta: ${stored}`,
  );
}

function storagePath({ group, plural, custom }: Resource): string {
  if (custom || storedByGroup.has(group)) return `${group}/${plural}`;
  return storedAs.get(`${group}/${plural}`) ?? plural;
}
