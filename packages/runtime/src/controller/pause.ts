import { isQualifiedName } from 'ots-apimachinery/names';
import type { KubernetesObject } from 'ots-kubernetes';
import { UsageError } from '../errors/usage-error.ts';
import type { DeepReadonly } from '../objects/deep-readonly.ts';
import { type Predicate, and } from './predicates.ts';

/** What a pause covers. */
export interface PauseOptions {
  /**
   * What happens to a paused object that is being deleted. `'wait'`, the default, does not reconcile it either: its
   * finalizers keep it until the pause ends. `'reconcile'` reconciles it: the reconciler can remove its finalizers.
   */
  deletion?: 'wait' | 'reconcile' | undefined;
}

/** Whether an object is reconciled, or what its pause stops. */
export type PauseState = 'active' | 'paused' | 'deletion paused';

/** Knows which objects an annotation pauses. */
export class Pause {
  readonly annotation: string;
  readonly #options: PauseOptions;

  /** @throws {UsageError} if an object cannot have the annotation. */
  constructor(annotation: string, options: PauseOptions = {}) {
    if (!isQualifiedName(annotation)) {
      throw new UsageError(
        `${JSON.stringify(annotation)} is not the name of an annotation`,
        'Use a domain, a slash and a name, such as example.com/paused.',
      );
    }
    this.annotation = annotation;
    this.#options = options;
  }

  /** An object that does not exist is active: its reconciler learns that it is gone. */
  stateOf(object: DeepReadonly<KubernetesObject> | undefined): PauseState {
    const value = object?.metadata.annotations?.[this.annotation];
    if (value === undefined || value.trim().toLowerCase() === 'false') return 'active';
    if (!object!.metadata.deletionTimestamp) return 'paused';
    return this.#options.deletion === 'reconcile' ? 'active' : 'deletion paused';
  }

  /**
   * One predicate of several: an update that pauses or resumes an object passes even if they ignore annotations. It
   * counts as a creation for them: those that select objects still do.
   */
  within<T extends KubernetesObject>(predicates: readonly Predicate<T>[]): Predicate<T> {
    const all = and(...predicates);
    const matters = (before: DeepReadonly<T>, after: DeepReadonly<T>): boolean =>
      this.stateOf(before) !== this.stateOf(after) && all.create!(after);
    return { ...all, update: (before, after) => all.update!(before, after) || matters(before, after) };
  }
}
