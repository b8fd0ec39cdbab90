/**
 * What `ots dev` knows of a session, as plain JSON: the page draws it, `GET api/state` returns it, and server-sent events carry each
 * change. Times are ISO 8601 in UTC, durations are seconds.
 */
export interface DevState {
  /** The name of the project. */
  readonly project: string;
  readonly cluster: ClusterState;
  readonly operator: OperatorState;
  /** The objects that the operator works on: those of the project's kinds, and all that they own. By uid. */
  readonly objects: Readonly<Record<string, ObjectState>>;
  /** The last reconciles, oldest first. A reconcile that still runs has no result. */
  readonly reconciles: readonly ReconcileState[];
  /** What waits, per controller. */
  readonly queues: readonly QueueState[];
  /** The last requests of the operator to the API server, oldest first. */
  readonly requests: readonly RequestState[];
  /** What the operator's roles grant, and what it used. */
  readonly rights: RightsState;
  /** The last events (of `events.k8s.io`) about the objects, oldest first. */
  readonly events: readonly EventState[];
  /** The last lines that the operator logged, oldest first. */
  readonly logs: readonly LogState[];
  /** What is wrong now; empty when all is well. */
  readonly problems: readonly ProblemState[];
}

export interface ClusterState {
  /** Where the API server listens. */
  readonly url: string;
  /** The path of the kubeconfig of an administrator. */
  readonly kubeconfig: string;
  /** The address of the page; absent without one. */
  readonly page?: string;
  /** Whether this process runs the cluster: only then can the page move time, break things and return to snapshots. */
  readonly isEmbedded: boolean;
  /** How far the cluster's time is ahead of this machine's, in seconds. */
  readonly ahead: number;
  /** The names of snapshots that `restore` can return to, oldest first. */
  readonly snapshots: readonly string[];
}

export interface OperatorState {
  /**
   * - `building`: the manifests are generated, or the CRDs and roles are applied
   * - `starting`: the process runs and is not ready yet
   * - `running`: it is ready
   * - `broken`: the sources have errors, and the process of the last good sources still runs, or none does
   * - `crashed`: the process ended by itself
   * - `stopped`: `ots dev` ended it
   */
  readonly phase: 'building' | 'starting' | 'running' | 'broken' | 'crashed' | 'stopped';
  /** How often it was started. */
  readonly starts: number;
  /** The ServiceAccount that it runs as, as `system:serviceaccount:<namespace>:<name>`. */
  readonly user: string;
  /** The process ID; absent when none runs. */
  readonly pid?: number;
  /** Whether reconciles wait for a person. */
  readonly isPaused: boolean;
  /** The objects whose reconciles alone wait, as `<controller> <namespace>/<name>`. */
  readonly pausedObjects: readonly string[];
}

/** An object, its state and its place in the tree of owners. */
export interface ObjectState {
  readonly uid: string;
  readonly apiVersion: string;
  readonly kind: string;
  /** Absent for an object of the cluster. */
  readonly namespace?: string;
  readonly name: string;
  readonly createdAt: string;
  /** When deletion was requested; absent otherwise. */
  readonly deletedAt?: string;
  /** Whether the object is gone. Such an object stays for a while, so that a reader sees what happened. */
  readonly isGone: boolean;
  readonly resourceVersion: string;
  /** The uids of its owners; the controller first. */
  readonly owners: readonly string[];
  readonly finalizers: readonly string[];
  /** The columns that `kubectl get` prints beside NAME and AGE. */
  readonly columns: readonly { readonly name: string; readonly value: string }[];
  readonly conditions: readonly ConditionState[];
  /** Who owns which fields, such as `{ manager: 'my-operator', fields: ['spec.replicas'] }`. */
  readonly managers: readonly ManagerState[];
  /** The last changes, oldest first. */
  readonly changes: readonly ChangeState[];
  /** The object without managedFields. The values of Secrets are masked. */
  readonly object: Readonly<Record<string, unknown>>;
}

export interface ConditionState {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
  readonly changedAt?: string;
}

export interface ManagerState {
  readonly manager: string;
  /** `Apply` or `Update`. */
  readonly operation: string;
  readonly subresource?: string;
  readonly fields: readonly string[];
}

/** One change of an object. */
export interface ChangeState {
  readonly at: string;
  readonly resourceVersion: string;
  /** The fields that changed, with their values before and after; a value is absent where the field was. Bounded. */
  readonly fields: readonly { readonly path: string; readonly before?: unknown; readonly after?: unknown }[];
  /** How many more fields changed. */
  readonly more: number;
}

/** One reconcile. */
export interface ReconcileState {
  /** As `reconcileId` in the log. */
  readonly id: string;
  readonly controller: string;
  readonly namespace?: string;
  readonly name: string;
  /** Why it ran, one line per trigger, such as `Deployment default/web updated: status.readyReplicas`. */
  readonly reasons: readonly string[];
  readonly startedAt: string;
  /** How long it waited in the queue. */
  readonly waited: number;
  /** Absent while it runs. */
  readonly duration?: number;
  readonly requests: readonly ReconcileRequestState[];
  /** The names of the events that it recorded. Several reconciles have the same one if it repeats. */
  readonly events: readonly string[];
  /** Absent while it runs. */
  readonly result?: ReconcileResultState;
}

/** A read or a write of a reconcile. */
export interface ReconcileRequestState {
  /** Such as `get`, `list`, `create`, `update`, `patch`, `apply`, `delete`. */
  readonly verb: string;
  /** Such as `deployments` or `deployments/status`. */
  readonly resource: string;
  readonly namespace?: string;
  readonly name?: string;
  /** The HTTP status; absent for a read from the cache. */
  readonly code?: number;
  readonly duration: number;
  readonly from: 'cache' | 'server';
}

export type ReconcileResultState =
  | { readonly outcome: 'done' }
  | { readonly outcome: 'requeue'; readonly after: number }
  /** Without `retryAfter` it is not tried again. */
  | {
      readonly outcome: 'error';
      readonly error: string;
      readonly attempt: number;
      readonly retryAfter?: number;
    }
  /** The operator stopped meanwhile. */
  | { readonly outcome: 'interrupted' };

/** What waits in the queue of a controller. */
export interface QueueState {
  readonly controller: string;
  /** The kind of the objects that it reconciles; absent for a controller that is not `for` one. */
  readonly kind?: string;
  readonly entries: readonly QueueEntryState[];
}

export interface QueueEntryState {
  readonly namespace?: string;
  readonly name: string;
  /** `ready`: waits for a worker. `held`: waits for a person. `backoff`: failed. `requeue`: asked for a later time. */
  readonly state: 'running' | 'ready' | 'held' | 'backoff' | 'requeue';
  /** When it is due, or since when it runs. */
  readonly at?: string;
  readonly reasons: readonly string[];
}

/** A request of the operator as the API server saw it. */
export interface RequestState {
  readonly at: string;
  readonly verb: string;
  /** With the group, such as `deployments.apps/status`; empty for a path. */
  readonly resource: string;
  readonly path?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly code: number;
  readonly duration: number;
}

export interface RightsState {
  /** Each rule of the operator's roles, split into one resource and one verb. */
  readonly granted: readonly RightState[];
  /** Requests that RBAC denied: the rule that is missing, ready to copy. */
  readonly missing: readonly MissingRightState[];
}

export interface RightState {
  /** Such as `ClusterRole manager-role`. */
  readonly role: string;
  /** As a tag of the sources: `@rbac groups=apps resources=deployments verbs=get`. */
  readonly rule: string;
  readonly isUsed: boolean;
}

export interface MissingRightState {
  /** As a tag of the sources. */
  readonly rule: string;
  /** How often it was denied. */
  readonly count: number;
}

/** An event about an object. It counts its repetitions. */
export interface EventState {
  /** That of the Event in the cluster, as `<namespace>/<name>`. */
  readonly name: string;
  readonly at: string;
  readonly type: string;
  readonly reason: string;
  readonly message: string;
  /** The uid of the object that it is about. */
  readonly regarding: string;
  /** Such as `Pod default/web-0`. */
  readonly object: string;
  /** How often it happened. */
  readonly count: number;
}

/** A line of the operator's log. */
export interface LogState {
  readonly at: string;
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly message: string;
  /** The other fields, such as the object and the error. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** The reconcile that it belongs to; absent for others. */
  readonly reconcile?: string;
}

/** Something that a person should fix. */
export interface ProblemState {
  /** Where it was found; a new report from there replaces the old one. */
  readonly source: 'manifests' | 'types' | 'sources' | 'install' | 'operator' | 'samples' | 'rights';
  readonly message: string;
  readonly hint?: string;
  /** The author's file, such as `src/controllers/a.controller.ts:12:5`. */
  readonly location?: string;
}
