import type { KubernetesObject, OwnerReference } from 'ots-kubernetes';
import { RuntimeError } from '../errors/runtime-error.ts';
import type { DeepReadonly } from './deep-readonly.ts';
import { keyOf, keyText } from './object-key.ts';

/** The object belongs to somebody else: another controller, or a person who made it. It was left as it is. */
export class AlreadyOwnedError extends RuntimeError {
  /** Stable; to branch on. */
  readonly code = 'ALREADY_OWNED';
  /** The controller that it has; undefined when it has none. */
  readonly owner: DeepReadonly<OwnerReference> | undefined;

  constructor(object: DeepReadonly<KubernetesObject>, owner: DeepReadonly<OwnerReference> | undefined) {
    const what = `${object.kind} ${keyText(keyOf(object))}`;
    super(
      owner
        ? `the ${what} is controlled by ${owner.kind} ${owner.name} already`
        : `the ${what} exists already and nobody controls it`,
      'Give one of the two another name, or remove the object if nobody needs it.',
    );
    this.owner = owner;
  }
}
