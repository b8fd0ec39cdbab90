import type { Kind, KubernetesObject } from 'ots-kubernetes';
import { UsageError } from '../errors/usage-error.ts';
import { copyOf } from '../objects/copy-of.ts';
import type { DeepReadonly } from '../objects/deep-readonly.ts';
import { type ObjectKey, keyOf, keyText } from '../objects/object-key.ts';

/** Sets the desired state on its argument: the object from the server, or a new one that only has a name. */
export type MutateFunction<T extends KubernetesObject> = (draft: T) => void | Promise<void>;

/**
 * A copy of the object, or a new one of the key, after `mutate`.
 * @throws {UsageError} when `mutate` changed the name or the namespace: it would write to another object.
 */
export async function draftOf<T extends KubernetesObject>(
  kind: Kind<T>,
  key: ObjectKey,
  existing: T | DeepReadonly<T> | undefined,
  mutate: MutateFunction<T>,
): Promise<T> {
  const draft = existing
    ? (copyOf(existing) as T)
    : ({ apiVersion: kind.apiVersion, kind: kind.kind, metadata: { ...key } } as T);
  await mutate(draft);
  const named = keyText(keyOf(draft));
  if (named !== keyText(key)) {
    throw new UsageError(
      `mutate renamed the ${kind.kind} ${keyText(key)} to ${named}`,
      'Leave metadata.name and metadata.namespace as they are; use another key for another object.',
    );
  }
  return draft;
}
