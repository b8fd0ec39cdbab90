import type { ReconcileReason } from '../reasons/reason.ts';

/** The name of the object that a controller reconciles. */
export interface RequestKey {
  /** Absent for cluster-scoped kinds. */
  namespace?: string | undefined;
  /** Of the object. */
  name: string;
  /** Absent for the manager's own cluster. */
  cluster?: string | undefined;
}

/** A reconcile whose turn it is. All that this module hands out is plain data, which can be written as JSON. */
export interface PendingReconcile {
  /** The name of the controller, as in logs and metrics. */
  controller: string;
  /** The object to reconcile. */
  request: RequestKey;
  /** 1 for the first since the last success; see `ReconcileContext.attempt`. */
  attempt: number;
  /** With which it waited in the queue. */
  priority: number;
  /** Why it runs: paths and versions, never values. */
  reasons: readonly ReconcileReason[];
  /** When it was ready to run, as RFC 3339 with milliseconds. */
  queuedAt: string;
}

/** A reconcile that has started. */
export interface StartedReconcile extends PendingReconcile {
  /** The `reconcileId` of its context, of its log lines and of its span. */
  id: string;
  /** When it started, as RFC 3339 with milliseconds. */
  startedAt: string;
  /** How long it waited in the queue, in seconds. */
  waitedSeconds: number;
}

/** A reconcile that has ended. */
export interface ReconcileRecord extends StartedReconcile {
  /** How long it ran, in seconds. */
  durationSeconds: number;
  /** The requests that it made and awaited: at most 50 to the server, and 20 reads from the cache. */
  requests: readonly RequestRecord[];
  /** How many more requests and reads it made. */
  omittedRequests: number;
  /** How many of its requests changed something on the server, including those that are omitted. */
  writes: number;
  /** The events that it recorded for users: at most 20. Repetitions may not have been written. */
  events: readonly RecordedEvent[];
  /** How it ended. */
  result: ReconcileResult;
}

/** A request to the API server, or a read from the cache. */
export interface RequestRecord {
  /** As in RBAC rules: get, list, watch, create, update, patch, delete, deletecollection. */
  verb: string;
  /** Where the response came from. */
  from: 'cache' | 'live';
  /** The API group of the resource; empty for the core group, absent for other paths of the server. */
  group?: string | undefined;
  /** Such as `deployments`; absent for other paths of the server. */
  resource?: string | undefined;
  /** Such as `status`. */
  subresource?: string | undefined;
  /** Absent for cluster-scoped kinds, and for lists of all namespaces. */
  namespace?: string | undefined;
  /** Of the object, if the request names one. */
  name?: string | undefined;
  /** The path of a request that is not about a resource, such as `/version`. */
  path?: string | undefined;
  /** The type of a patch: `apply` is server-side apply. */
  patch?: 'apply' | 'merge' | 'strategic' | 'json' | undefined;
  /** True if the server was asked to change nothing. */
  dryRun?: boolean | undefined;
  /** The code of the last response; absent for the cache, and if no response came. */
  status?: number | undefined;
  /** True if the object has changed since it was read, or another owner has the field. */
  conflict: boolean;
  /** True if no RBAC rule allows it; other refusals are not meant. */
  denied?: boolean | undefined;
  /** Until the response, with retries; 0 for the cache. */
  durationSeconds: number;
}

/** An event for users, without its text: the cluster has that. */
export interface RecordedEvent {
  /** As `kubectl describe` shows it. */
  type: 'Normal' | 'Warning';
  /** As `kubectl describe` shows it. */
  reason: string;
  /** What the event is about. */
  apiVersion?: string | undefined;
  /** What the event is about. */
  kind?: string | undefined;
  /** Absent for cluster-scoped kinds. */
  namespace?: string | undefined;
  /** Of the object. */
  name?: string | undefined;
  /** The Event on the server. It counts its repetitions, so several reconciles may name it; absent if it was dropped. */
  event?: { namespace: string; name: string } | undefined;
}

/** How a reconcile ended. */
export type ReconcileResult = DoneResult | RequeueResult | FailedResult | InterruptedResult;

/** It returned nothing: it runs again with the next event. */
export interface DoneResult {
  /** Tells results apart. */
  type: 'done';
}

/** It returned `requeueAfter`. */
export interface RequeueResult {
  /** Tells results apart. */
  type: 'requeueAfter';
  /** When it runs again, unless an event comes earlier. */
  seconds: number;
}

/** It threw. */
export interface FailedResult {
  /** Tells results apart. */
  type: 'error';
  /**
   * `conflict`: an object has changed since it was read; `gone`: an object to write no longer exists; `unsynced`: the cache
   * is still being filled; `terminal`: it is not retried; `error`: anything else.
   */
  kind: 'error' | 'terminal' | 'conflict' | 'gone' | 'unsynced';
  /** Of the error, at most 500 characters; credentials are masked as in logs. */
  message: string;
  /** Which attempt this was. */
  attempt: number;
  /** When it is retried, unless an event comes earlier; absent if it is not. */
  backoffSeconds?: number | undefined;
}

/** The manager stops or has lost the leadership, or the namespace is no longer cached. */
export interface InterruptedResult {
  /** Tells results apart. */
  type: 'interrupted';
}
