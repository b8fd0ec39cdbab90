import type { Kind, KubernetesObject } from 'ots-kubernetes';
import { isInvalid } from '../errors/api-error.ts';
import type { Client } from '../client/client.ts';
import { sameJson } from '../objects/merge-patch.ts';
import type { DeepReadonly } from '../objects/deep-readonly.ts';
import type { AnyDesiredChild } from './desired-child.ts';

/**
 * True when applying the configuration would change the object. The server tells, in a dry run, with its defaults and
 * webhooks; and a change that it does not allow is a change.
 * @param existing as it was just read from the server.
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
    const answer = await client.apply(kind, configuration, options);
    // Somebody else's change, such as that of the status, came in between. It starts the next run, which sees it.
    if (answer.metadata.resourceVersion !== existing.metadata.resourceVersion) return false;
    return !sameJson(comparable(answer), comparable(existing));
  } catch (error) {
    if (!isInvalid(error)) throw error;
    // The old object must not go for one that cannot come. The name is taken, so the dry run has another.
    const { name, ...metadata } = configuration.metadata;
    const renamed = { ...configuration, metadata: { ...metadata, generateName: `${name.slice(0, 200)}-` } };
    await client.create(kind, renamed as unknown as KubernetesObject, { dryRun: true, fieldOwner });
    return true;
  }
}

/** Without what every write touches. */
function comparable(object: DeepReadonly<KubernetesObject>): object {
  const untold = { managedFields: undefined, generation: undefined };
  return { ...object, metadata: { ...object.metadata, ...untold } };
}
