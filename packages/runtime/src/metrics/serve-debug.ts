import type { RequestListener } from 'node:http';
import type { QueueSnapshot } from '../debugging/queue-snapshot.ts';
import type { ReconcileHistory } from '../debugging/reconcile-history.ts';
import type { Logger } from '../logging/logger.ts';
import { serveText } from './serve-text.ts';

/** What a manager knows of its reconciles. */
export interface DebugSources {
  readonly history: ReconcileHistory;
  /** What the queues of its controllers have now. */
  readonly queues: () => QueueSnapshot[];
}

/** The handlers of the debug endpoints, by path. Both respond with JSON. */
export function debugHandlers(
  { history, queues }: DebugSources,
  logger: Logger,
): [string, RequestListener][] {
  const serve = (what: string, read: () => object): RequestListener =>
    serveText(what, 'application/json', async () => JSON.stringify(read()), logger);
  return [
    ['/debug/reconciles', serve('reconciles', () => ({ records: history.newestFirst }))],
    ['/debug/queues', serve('queues', () => ({ queues: queues() }))],
  ];
}
