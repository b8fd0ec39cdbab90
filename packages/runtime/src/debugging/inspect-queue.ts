import type { Clock } from 'ots-apimachinery/clock/clock';
import type { Request } from '../controller/reconciler.ts';
import type { InspectedItem, WorkQueue } from '../queue/work-queue.ts';
import { reasonsOf } from '../reasons/reasons-of.ts';
import type { QueueItem, QueueSnapshot } from './queue-snapshot.ts';
import { timeText } from './time-text.ts';

const maxItems = 1000;

/** @param idOf the id of the reconcile of a key, if it runs. */
export function inspectQueue(
  { controller, kind }: Pick<QueueSnapshot, 'controller' | 'kind'>,
  queue: Pick<WorkQueue<Request>, 'inspect'>,
  clock: Clock,
  idOf: (key: string) => string | undefined,
): QueueSnapshot {
  const all = [...queue.inspect()];
  const items = all.slice(0, maxItems).map((item) => queueItem(item, clock, idOf));
  return { controller, ...(kind !== undefined && { kind }), items, omitted: all.length - items.length };
}

function queueItem(
  inspected: InspectedItem<Request>,
  clock: Clock,
  idOf: (key: string) => string | undefined,
): QueueItem {
  const { key, item, state, priority, causes, readyAt, startedAt } = inspected;
  const common = { ...item, priority, reasons: reasonsOf(causes) };
  if (state === 'delayed') {
    return { ...common, ...delayOf(inspected), until: timeText(clock, readyAt) };
  }
  if (state === 'ready') return { ...common, state: 'waiting', since: timeText(clock, readyAt) };
  const since = timeText(clock, startedAt);
  return state === 'held'
    ? { ...common, state, since }
    : { ...common, state: 'running', since, id: idOf(key) };
}

function delayOf({ causes: [cause] }: InspectedItem<Request>): Pick<QueueItem, 'state' | 'attempts'> {
  if (cause?.type === 'backoff') return { state: 'backoff', attempts: cause.attempt };
  return { state: cause?.type === 'requeue' ? 'requeue' : 'delayed' };
}
