import {
  type QueueItem,
  type QueueSnapshot,
  type ReconcileRecord,
  type ReconcileResult,
  type RequestRecord,
  type StartedReconcile,
  reasonText,
} from 'ots-runtime/debugging';
import type {
  QueueEntryState,
  QueueState,
  ReconcileRequestState,
  ReconcileResultState,
  ReconcileState,
} from '../model/dev-state.ts';

/** Describes a reconcile that has started. */
export function startedState({
  id,
  controller,
  request,
  reasons,
  startedAt,
  waitedSeconds,
}: StartedReconcile): ReconcileState {
  return {
    id,
    controller,
    ...keyOf(request),
    reasons: reasons.map(reasonText),
    startedAt,
    waited: waitedSeconds,
    requests: [],
    events: [],
  };
}

/** Describes a reconcile that has ended. */
export function endedState(record: ReconcileRecord): ReconcileState {
  return {
    ...startedState(record),
    duration: record.durationSeconds,
    requests: record.requests.map(requestState),
    events: record.events.flatMap(({ event }) => (event ? `${event.namespace}/${event.name}` : [])),
    result: resultState(record.result),
  };
}

/** Describes what the queue of a controller has. */
export function queueState({ controller, kind, items }: QueueSnapshot): QueueState {
  return { controller, ...(kind !== undefined && { kind }), entries: items.map(entryState) };
}

function requestState(request: RequestRecord): ReconcileRequestState {
  const { verb, from, group = '', resource, subresource, namespace, name, path, patch, status } = request;
  const plural = `${resource}${group === '' ? '' : `.${group}`}`;
  const full = subresource === undefined ? plural : `${plural}/${subresource}`;
  return {
    verb: patch === 'apply' ? 'apply' : verb,
    resource: resource === undefined ? (path ?? '') : full,
    ...(namespace !== undefined && { namespace }),
    ...(name !== undefined && { name }),
    ...(status !== undefined && { code: status }),
    duration: request.durationSeconds,
    from: from === 'cache' ? 'cache' : 'server',
  };
}

function resultState(result: ReconcileResult): ReconcileResultState {
  switch (result.type) {
    case 'requeueAfter':
      return { outcome: 'requeue', after: result.seconds };
    case 'error': {
      const { message, attempt, backoffSeconds } = result;
      const retry = backoffSeconds === undefined ? {} : { retryAfter: backoffSeconds };
      return { outcome: 'error', error: message, attempt, ...retry };
    }
    case 'interrupted':
      return { outcome: 'interrupted' };
    default:
      return { outcome: 'done' };
  }
}

const states = {
  held: 'held',
  running: 'running',
  waiting: 'ready',
  backoff: 'backoff',
  requeue: 'requeue',
  delayed: 'requeue',
} as const;

function entryState(item: QueueItem): QueueEntryState {
  const at = item.until ?? item.since;
  return {
    ...keyOf(item),
    state: states[item.state],
    ...(at !== undefined && { at }),
    reasons: item.reasons.map(reasonText),
  };
}

function keyOf({ namespace, name }: { namespace?: string | undefined; name: string }): {
  namespace?: string;
  name: string;
} {
  return { ...(namespace !== undefined && { namespace }), name };
}
