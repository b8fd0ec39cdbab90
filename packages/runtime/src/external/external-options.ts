import type { Duration, Kind, KubernetesObject } from 'ots-kubernetes';
import type { ControllerOptions } from '../controller/controller-options.ts';
import { toMilliseconds } from '../duration/to-milliseconds.ts';
import { UsageError } from '../errors/usage-error.ts';
import type { DeepReadonly } from '../objects/deep-readonly.ts';
import type { ExternalResource, ExternalResourceWithIds } from './external-resource.ts';

/** How to reconcile the objects of a kind with an external API. */
export interface ExternalReconcilerOptions<T extends KubernetesObject, Observed> {
  /** The kind of the objects. Its status must declare `conditions`. */
  readonly kind: Kind<T>;
  /** The calls to the external API. */
  readonly external: ExternalResource<T, Observed> | ExternalResourceWithIds<T, Observed>;
  /**
   * How long it takes at most until a change by other means is found; `'10m'` by default. The delay is random in its second half, so
   * objects that were reconciled together, as after a start, are not observed together again.
   */
  readonly pollInterval?: Duration | number | undefined;
  /** How long a call may take; `'1m'` by default. */
  readonly callTimeout?: Duration | number | undefined;
  /** What happens to the external resource when its object is deleted; `Delete` by default, `Orphan` keeps it. */
  deletionPolicy?(object: DeepReadonly<T>): 'Delete' | 'Orphan';
}

/** Options of `externalResource`. */
export interface ExternalOptions<T extends KubernetesObject, Observed> extends ExternalReconcilerOptions<
  T,
  Observed
> {
  /**
   * The options of `ControllerBuilder.withOptions`. Other defaults than there, because calls to an external API mostly wait:
   * `maxConcurrentReconciles` is 4, and retries start after 1 s and are at most 5 min apart.
   */
  readonly settings?: ControllerOptions | undefined;
}

/**
 * A duration of the options in milliseconds.
 * @throws {UsageError} when it is not a positive duration.
 */
export function positive(name: string, value: Duration | number): number {
  const milliseconds = toMilliseconds(value);
  if (milliseconds > 0) return milliseconds;
  throw new UsageError(`${name} is 0`, 'Use a positive duration, or leave it out.');
}
