import { PersistentVolumeClaim } from 'ots-kubernetes/core/v1';
import type { Client, DeepReadonly } from 'ots-runtime';

/** Deletes claims whose deletion has not begun. */
export async function deleteClaims(
  client: Client,
  claims: readonly DeepReadonly<PersistentVolumeClaim>[],
): Promise<void> {
  for (const claim of claims)
    if (!claim.metadata.deletionTimestamp) await client.delete(PersistentVolumeClaim, claim);
}
