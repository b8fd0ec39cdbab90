import type { KubernetesObject } from 'ots-kubernetes';
import type { Clock } from '../clock/clock.ts';
import { errorMessage } from '../errors/error-message.ts';
import { RuntimeError } from '../errors/runtime-error.ts';
import { ConnectionError } from '../errors/connection-error.ts';
import { IdleTimer } from './idle-timer.ts';
import type { ListWatcher, WatchQuery } from './list-watcher.ts';
import { type WatchEvent, WatchEvents } from './watch-events.ts';

export interface FollowOptions<T extends KubernetesObject> {
  source: ListWatcher<T>;
  query: WatchQuery;
  clock: Clock;
  /** The server has answered; events may follow. */
  opened: () => void;
  /** How long silence is fine, in milliseconds. Asked after every event. */
  patience: () => number;
  /** Gets the events in their order; the next one when it has ended. */
  take: (event: WatchEvent<T>) => void | Promise<void>;
}

/**
 * Takes the events of a watch until it ends. A connection that dies without a word is noticed by its silence.
 * @throws {ApiError} when the server refuses or sends an ERROR event. {SilentWatchError} when it was silent for too
 *   long. {ConnectionError} when the stream breaks. The reason of the signal when it aborts. What `take` throws.
 */
export async function followWatch<T extends KubernetesObject>(
  { source, query, clock, opened, patience, take }: FollowOptions<T>,
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted();
  const abandoned = new AbortController();
  const forward = (): void => abandoned.abort(signal.reason);
  signal.addEventListener('abort', forward, { once: true });
  let isDeaf = true;
  const silence = new IdleTimer(clock, () => abandoned.abort(new SilentWatchError(isDeaf)));
  try {
    const stream = await source.watch(query, abandoned.signal);
    opened();
    silence.start(patience());
    const events = new WatchEvents<T>();
    for await (const chunk of stream) {
      silence.heard();
      for (const event of events.in(chunk)) {
        // What was under way when the signal aborted is nobody's business any more.
        signal.throwIfAborted();
        isDeaf = false;
        const taken = take(event);
        // Not a promise for each: most are taken at once.
        if (taken) await taken;
        silence.start(patience());
      }
    }
  } catch (error) {
    // However the stream words its abort.
    throw abandoned.signal.aborted ? abandoned.signal.reason : brokenWatch(error);
  } finally {
    silence.stop();
    signal.removeEventListener('abort', forward);
    // For events that could not be taken; otherwise the stream has ended anyway.
    abandoned.abort();
  }
}

/** Streams fail with errors of the system, which have a code; others are not theirs. */
function brokenWatch(error: unknown): unknown {
  const isOfSystem = error instanceof Error && !(error instanceof RuntimeError) && 'code' in error;
  if (!isOfSystem) return error;
  return new ConnectionError(
    `the watch broke off: ${errorMessage(error)}`,
    'It is opened again by itself.',
    error,
  );
}

/** A watch on which nothing came for so long that it must be dead. */
export class SilentWatchError extends ConnectionError {
  /** Whether nothing ever came on it, not even a bookmark. */
  readonly isDeaf: boolean;

  constructor(isDeaf: boolean) {
    super('the watch has been silent for too long', 'It is opened again by itself.');
    this.isDeaf = isDeaf;
  }
}
