/** The object whose event, or whose existence, asked for a reconcile. */
export interface ReasonObject {
  /** Such as `apps/v1`. */
  apiVersion: string;
  /** Such as `Deployment`. */
  kind: string;
  /** Absent for cluster-scoped kinds. */
  namespace?: string | undefined;
  /** Of the object. */
  name: string;
  /** Its version after the last event. */
  resourceVersion?: string | undefined;
  /** The name of its cluster; absent for the manager's own. */
  cluster?: string | undefined;
}

/** A watch delivered an event. Several events of one object before the reconcile are one reason. */
export interface EventReason extends ReasonObject {
  /** Tells reasons apart. */
  type: 'event';
  /**
   * What happened. An object that was created and then updated is `created`. `uncached` means that its namespace is no
   * longer cached.
   */
  event: 'created' | 'updated' | 'deleted' | 'uncached';
  /** How many events this is; 1 if there was just one. */
  events: number;
  /** The version before the first update. Only for updates. */
  oldResourceVersion?: string | undefined;
  /**
   * What the updates changed, from the state before the first one to the state after the last one, without values: paths
   * such as `spec.replicas`, `metadata.labels["app"]` and `status.conditions[type=Ready].status`. At most 20. Omits
   * `resourceVersion`, `generation`, and `managedFields` if anything else has changed. Empty if the last update reverted
   * the first. Only for updates.
   */
  changedFields?: readonly string[] | undefined;
  /** True if more fields have changed than `changedFields` has. Only for updates. */
  hasMoreChanges?: boolean | undefined;
}

/** The object existed when the watch started: at the start of the process, or when it became the leader. */
export interface StartReason extends ReasonObject {
  /** Tells reasons apart. */
  type: 'start';
}

/** A kind that the controller owns has appeared on the server or disappeared: all its objects are reconciled. */
export interface ResyncReason extends ReasonObject {
  /** Tells reasons apart. */
  type: 'resync';
}

/** With sharding: this replica now owns the shard of the object. */
export interface ShardReason extends ReasonObject {
  /** Tells reasons apart. */
  type: 'shard';
}

/** Code asked for it: a channel, an iterable, another source, or a call of `controller.enqueue`. */
export interface SourceReason {
  /** Tells reasons apart. */
  type: 'source';
  /** The name of the source; absent for `controller.enqueue`. */
  source?: string | undefined;
}

/** The previous reconcile returned `requeueAfter`, and the time is over. */
export interface RequeueReason {
  /** Tells reasons apart. */
  type: 'requeue';
  /** The `requeueAfter`, in seconds. */
  afterSeconds: number;
}

/** The previous reconcile failed, and its delay is over. */
export interface BackoffReason {
  /** Tells reasons apart. */
  type: 'backoff';
  /** Which attempt failed: 1 for the first. */
  attempt: number;
  /** The message of its error, at most 500 characters; credentials are masked as in logs. */
  error: string;
}

/** There were more reasons than are kept: these came between the ones before and behind. */
export interface OmittedReasons {
  /** Tells reasons apart. */
  type: 'omitted';
  /** How many. */
  count: number;
}

/** Why a reconcile runs. Plain data: it can be written as JSON. */
export type ReconcileReason =
  | EventReason
  | StartReason
  | ResyncReason
  | ShardReason
  | SourceReason
  | RequeueReason
  | BackoffReason
  | OmittedReasons;
