import type {
  ClusterState,
  EventState,
  LogState,
  ObjectState,
  OperatorState,
  ProblemState,
  QueueState,
  ReconcileState,
  RequestState,
  RightsState,
} from './dev-state.ts';

/**
 * One change of the state: the data of a server-sent event, whose name is the type. `object`, `reconcile` and `event` replace the one
 * with the same uid, id or name, or add it; `request` and `log` add one; the others replace their part.
 */
export type DevChange =
  | { readonly type: 'cluster'; readonly value: ClusterState }
  | { readonly type: 'operator'; readonly value: OperatorState }
  | { readonly type: 'object'; readonly value: ObjectState }
  /** An object that is gone is no longer shown. The value is its uid. */
  | { readonly type: 'forget'; readonly value: string }
  | { readonly type: 'reconcile'; readonly value: ReconcileState }
  | { readonly type: 'queues'; readonly value: readonly QueueState[] }
  | { readonly type: 'request'; readonly value: RequestState }
  | { readonly type: 'rights'; readonly value: RightsState }
  | { readonly type: 'event'; readonly value: EventState }
  | { readonly type: 'log'; readonly value: LogState }
  | { readonly type: 'problems'; readonly value: readonly ProblemState[] };
