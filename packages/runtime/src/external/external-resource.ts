import type { KubernetesObject } from 'ots-kubernetes';
import type { StatusOf } from '../composite/composite-options.ts';
import type { ReconcileContext } from '../controller/reconciler.ts';
import type { DeepReadonly } from '../objects/deep-readonly.ts';

/** The context of a call to an external API. */
export interface ExternalContext extends ReconcileContext {
  /** Aborts when the call must end: with the reconcile, or after `callTimeout`. Pass it to the client of the API. */
  readonly signal: AbortSignal;
  /**
   * What tells the external resource from all others. It is in the annotation `runtime.ots/external-id` of the object and never changes,
   * whatever happens to the spec: the name of the external resource, a tag of it, or the idempotency key of the request that creates it.
   * In an `ExternalResourceWithIds` it is the ID that `create` returned; `create` itself receives a unique text that it may use as a tag.
   */
  readonly identity: string;
}

/** What the external API says about an external resource that exists. */
export interface Observation<T extends KubernetesObject, Observed> {
  /** Passed to `update` and `delete`. */
  readonly observed: Observed;
  /** False calls `update`. Compare only what the spec states: the API may have defaults for the rest. */
  readonly upToDate: boolean;
  /** True if it can be used. A string says why it cannot, in the condition `Ready`. */
  readonly ready: boolean | string;
  /**
   * The fields of the status that this controller reports, without `conditions`. They replace what it reported before, and keep what
   * others report. If undefined, the status does not change.
   */
  readonly status?: StatusOf<T> | undefined;
}

/**
 * Something outside of the cluster that an object describes, such as a bucket or a DNS record: four calls of an API, of which
 * `externalResource` makes a controller.
 *
 * Each method may be called again at any time, also after a call whose response was lost. An error does no harm when there is nothing left
 * to do, such as that of an API which refuses to create what exists: `observe` is called again.
 */
export interface ExternalResource<T extends KubernetesObject, Observed> {
  /**
   * Looks for the external resource with `context.identity`, and changes nothing. It must see what `create` has made
   * within 30 s.
   * @returns undefined if it does not exist.
   */
  observe(object: DeepReadonly<T>, context: ExternalContext): Promise<Observation<T, Observed> | undefined>;
  /** Creates the external resource with `context.identity`. It need not be ready when this returns. */
  create(object: DeepReadonly<T>, context: ExternalContext): Promise<void>;
  /** Changes the external resource to what the object specifies. The change need not have taken effect when this returns. */
  update(object: DeepReadonly<T>, observed: Observed, context: ExternalContext): Promise<void>;
  /**
   * Deletes the external resource. It need not be gone when this returns: `delete` is called until `observe` does not find it, so it must
   * accept a deletion that has begun.
   */
  delete(object: DeepReadonly<T>, observed: Observed, context: ExternalContext): Promise<void>;
  /**
   * Returns the identity of a new object, for an API with names that users choose, such as `object.spec.bucketName`. It is called once per
   * object. `<name>-<uid>` by default, in at most 63 lower-case letters, digits and dashes.
   */
  identify?(object: DeepReadonly<T>): string;
}

/**
 * An external resource that only an ID identifies which the API assigns: it can neither have a name or a tag that `observe` finds, nor
 * be created with an idempotency key. If the result of `create` is lost, a person must decide whether there is something now, so prefer
 * an `ExternalResource` if the API allows one.
 */
export interface ExternalResourceWithIds<T extends KubernetesObject, Observed> extends Omit<
  ExternalResource<T, Observed>,
  'create' | 'identify'
> {
  /** Tells it from an `ExternalResource`. */
  readonly assignsIds: true;
  /**
   * Creates the external resource. Called again only after a `NotCreatedError`, or when `observe` no longer finds the ID.
   * @returns the ID that the API assigned.
   */
  create(object: DeepReadonly<T>, context: ExternalContext): Promise<string>;
}
