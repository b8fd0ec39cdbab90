import type { Kind } from 'ots-kubernetes';
import {
  MutatingWebhookConfiguration,
  ValidatingWebhookConfiguration,
} from 'ots-kubernetes/admissionregistration/v1';
import { ClusterRole, ClusterRoleBinding, Role, RoleBinding } from 'ots-kubernetes/rbac/v1';
import { isNotFound } from 'ots-runtime';
import { ownerLabels } from '../plans/steps.ts';
import type { V0Context } from '../v0-context.ts';

/**
 * Deletes what belongs to a ClusterServiceVersion that is gone, and what the garbage collector does not find, because it is in no namespace or in
 * others. Definitions, and the ClusterRoles of the bundle, have no owner: they stay.
 */
export async function cleanUp(
  { name, namespace }: { name: string; namespace: string },
  { client, live }: V0Context,
): Promise<void> {
  const labelSelector = { matchLabels: ownerLabels({ metadata: { name, namespace } }) };
  const kinds: readonly Kind[] = [
    ClusterRoleBinding,
    ClusterRole,
    RoleBinding,
    Role,
    MutatingWebhookConfiguration,
    ValidatingWebhookConfiguration,
  ];
  for (const kind of kinds) {
    const { items } = await live.list(kind, { labelSelector });
    for (const { metadata } of items)
      // The garbage collector deletes what is beside the ClusterServiceVersion.
      if (metadata.namespace !== namespace)
        await client.delete(kind, { name: metadata.name!, namespace: metadata.namespace }).catch(unlessGone);
  }
}

function unlessGone(error: unknown): void {
  if (!isNotFound(error)) throw error;
}
