import type { Kind, KubernetesObject } from 'ots-kubernetes';
import { UsageError } from '../errors/usage-error.ts';
import { controllerReference } from '../objects/owner-references.ts';
import type { DeepReadonly } from '../objects/deep-readonly.ts';
import { keyText } from '../objects/object-key.ts';
import type { AnyDesiredChild } from './desired-child.ts';

/**
 * Returns the child to apply: in the namespace of its owner, controlled by the owner, and with the labels.
 * @throws {UsageError} if its namespace differs from that of its owner, or is missing.
 */
export function ownedChild(
  owner: DeepReadonly<KubernetesObject>,
  kind: Kind,
  desired: AnyDesiredChild,
  labels: Readonly<Record<string, string>>,
): AnyDesiredChild {
  const { namespace: own } = owner.metadata;
  const { namespace = own, ...metadata } = desired.metadata;
  if (kind.scope === 'Namespaced' && (!namespace || (own && namespace !== own))) {
    throw new UsageError(
      `The ${kind.kind} ${keyText({ name: metadata.name, namespace })} is not in the namespace of its owner`,
      own ? `Omit its namespace, or use ${own}.` : 'Set its namespace: its owner has none.',
    );
  }
  return {
    ...desired,
    apiVersion: kind.apiVersion,
    kind: kind.kind,
    metadata: {
      ...metadata,
      ...(kind.scope === 'Namespaced' && { namespace }),
      labels: { ...metadata.labels, ...labels },
      // The author may have added the owner already.
      ownerReferences: [
        ...(metadata.ownerReferences ?? []).filter(({ uid }) => uid !== owner.metadata.uid),
        controllerReference(owner),
      ],
    },
  };
}
