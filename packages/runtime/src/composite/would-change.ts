import type { Kind, KubernetesObject } from 'ots-kubernetes';
import { isInvalid } from '../errors/api-error.ts';
import type { Client } from '../client/client.ts';
import { sameJson } from '../objects/merge-patch.ts';
import type { DeepReadonly } from '../objects/deep-readonly.ts';
import type { AnyDesiredChild } from './desired-child.ts';

/**
 * Returns true when applying the configuration would change the object, by a dry run on the server, with its defaults
 * and webhooks. A change that the server does not allow is a change.
 * @param existing the object, just read from the server.
 * @throws {ApiError} `isInvalid` if a new object with this configuration would also be refused.
 */
export async function wouldChange(
  client: Pick<Client, 'apply' | 'create'>,
  kind: Kind,
  configuration: AnyDesiredChild,
  existing: DeepReadonly<KubernetesObject>,
  fieldOwner: string,
): Promise<boolean> {
  try {
    const options = { dryRun: true, force: true, fieldOwner };
    const applied = await client.apply(kind, configuration, options);
    // Another client's change, such as one of the status, came in between. It triggers the next reconcile, which sees it.
    if (applied.metadata.resourceVersion !== existing.metadata.resourceVersion) return false;
    return !sameJson(comparable(applied), comparable(existing));
  } catch (error) {
    if (!isInvalid(error)) throw error;
    // Do not delete the old object if the server would refuse the new one. The name is taken, so the dry run uses another.
    const { name, ...metadata } = configuration.metadata;
    const renamed = { ...configuration, metadata: { ...metadata, generateName: `${name.slice(0, 200)}-` } };
    await client.create(kind, renamed as unknown as KubernetesObject, { dryRun: true, fieldOwner });
    return true;
  }
}

/** Removes what every write changes. */
function comparable(object: DeepReadonly<KubernetesObject>): object {
  const untold = { managedFields: undefined, generation: undefined };
  return { ...object, metadata: { ...object.metadata, ...untold } };
}
