import type { Kind, KubernetesObject } from 'ots-kubernetes';
import type { Client } from '../client/client.ts';
import type { AnyDesiredChild } from './desired-child.ts';

/** How many characters the server adds to a prefix, with the dash before them. */
const suffixLength = 6;

/** Of names that are no longer than this one: some kinds allow only short names. */
function prefixOf(name: string): string {
  const start = name.slice(0, Math.max(1, name.length - suffixLength));
  return `${start.replace(/[-.]+$/, '')}-`;
}

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
  const renamed = { ...configuration, metadata: { ...metadata, generateName: prefixOf(name) } };
  await client.create(kind, renamed as unknown as KubernetesObject, { dryRun: true, fieldOwner });
}
