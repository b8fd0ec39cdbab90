import type { Kind, KubernetesObject } from 'ots-kubernetes';
import { isInvalid } from '../errors/api-error.ts';
import type { Client } from '../client/client.ts';
import { sameJson } from '../objects/merge-patch.ts';
import type { DeepReadonly } from '../objects/deep-readonly.ts';
import { checkReplacement } from './check-replacement.ts';
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
    await checkReplacement(client, kind, configuration, fieldOwner);
    return true;
  }
}

/** Removes what every write changes. */
function comparable(object: DeepReadonly<KubernetesObject>): object {
  const untold = { managedFields: undefined, generation: undefined };
  return { ...object, metadata: { ...object.metadata, ...untold } };
}
