import type { KubernetesObject } from 'ots-kubernetes';
import type { Clock } from 'ots-apimachinery/clock/clock';
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
  /** The server has responded; events may follow. */
  opened: () => void;
  /** How long the watch may be silent, in milliseconds. Called after every event. */
  maxSilenceMs: () => number;
  /** Receives the events in order, one after another. */
  take: (event: WatchEvent<T>) => void | Promise<void>;
}

/**
 * Passes on the events of a watch until it ends. A connection that dies silently is detected by its silence.
 * @throws {ApiError} when the server refuses or sends an ERROR event. {SilentWatchError} if it was silent for too long.
 *   {ConnectionError} if the stream breaks. The reason of the signal when it aborts. What `take` throws.
 */
export async function followWatch<T extends KubernetesObject>(
  { source, query, clock, opened, maxSilenceMs, take }: FollowOptions<T>,
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted();
  const abandoned = new AbortController();
  const forward = (): void => abandoned.abort(signal.reason);
  signal.addEventListener('abort', forward, { once: true });
  let hasDeliveredNothing = true;
  const silence = new IdleTimer(clock, () => abandoned.abort(new SilentWatchError(hasDeliveredNothing)));
  try {
    const stream = await source.watch(query, abandoned.signal);
    opened();
    silence.start(maxSilenceMs());
    const events = new WatchEvents<T>();
    for await (const chunk of stream) {
      silence.heard();
      for (const event of events.in(chunk)) {
        // The result of what was in progress when the signal aborted does not matter anymore.
        signal.throwIfAborted();
        hasDeliveredNothing = false;
        const taken = take(event);
        // Awaiting only promises is faster: most events are handled synchronously.
        if (taken) await taken;
        silence.start(maxSilenceMs());
      }
    }
  } catch (error) {
    // Whatever error the stream reports for its abort.
    throw abandoned.signal.aborted ? abandoned.signal.reason : brokenWatch(error);
  } finally {
    silence.stop();
    signal.removeEventListener('abort', forward);
    // Ends the stream if an event could not be handled; otherwise it has ended anyway.
    abandoned.abort(over);
  }
}

/** The reason of watches that are over, which costs less than the default one: an error with a stack for each. */
const over = new Error('The watch is over');

/** Streams fail with system errors, which have a code; other errors come from elsewhere. */
function brokenWatch(error: unknown): unknown {
  const isOfSystem = error instanceof Error && !(error instanceof RuntimeError) && 'code' in error;
  if (!isOfSystem) return error;
  return new ConnectionError(
    `The watch broke: ${errorMessage(error)}`,
    'The watch is reopened automatically.',
    error,
  );
}

/** A watch that was silent for so long that it must be dead. */
export class SilentWatchError extends ConnectionError {
  /** Whether it never delivered anything, not even a bookmark. */
  readonly hasDeliveredNothing: boolean;

  constructor(hasDeliveredNothing: boolean) {
    super('The watch has been silent for too long', 'The watch is reopened automatically.');
    this.hasDeliveredNothing = hasDeliveredNothing;
  }
}
