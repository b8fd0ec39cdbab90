import type { Kind, KubernetesObject } from 'ots-kubernetes';
import type { Client } from '../client/client.ts';
import type { AnyDesiredChild } from './desired-child.ts';

/**
 * Asks the server, with a dry run, whether it would create an object with this configuration: an object whose replacement
 * would be refused must not be deleted. The name is taken, so the dry run uses another.
 * @throws {ApiError} the refusal.
 */
export async function checkReplacement(
  client: Pick<Client, 'create'>,
  kind: Kind,
  configuration: AnyDesiredChild,
  fieldOwner: string,
): Promise<void> {
  const { name, uid: _, ...metadata } = configuration.metadata;
  const renamed = { ...configuration, metadata: { ...metadata, generateName: `${name.slice(0, 200)}-` } };
  await client.create(kind, renamed as unknown as KubernetesObject, { dryRun: true, fieldOwner });
}
