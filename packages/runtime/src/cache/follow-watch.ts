import type { KubernetesObject } from 'ots-kubernetes';
import type { Clock } from '../clock/clock.ts';
import { ConnectionError } from '../transport/connection-error.ts';
import { IdleTimer } from './idle-timer.ts';
import type { ListWatcher, WatchQuery } from './list-watcher.ts';
import { type WatchEvent, watchEvents } from './watch-events.ts';

export interface FollowOptions<T extends KubernetesObject> {
  source: ListWatcher<T>;
  query: WatchQuery;
  clock: Clock;
  /** The server has answered; events may follow. */
  opened: () => void;
  /** How long silence is fine, in milliseconds. Asked after every event. */
  patience: () => number;
}

/**
 * The events of a watch, until it ends. A connection that dies without a word is noticed by its silence.
 * @throws {ApiError} when the server refuses or sends an ERROR event. {SilentWatchError} when it was silent for too
 *   long. {ConnectionError} when the stream breaks. The reason of the signal when it aborts.
 */
export async function* followWatch<T extends KubernetesObject>(
  { source, query, clock, opened, patience }: FollowOptions<T>,
  signal: AbortSignal,
): AsyncGenerator<WatchEvent<T>> {
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
    for await (const event of watchEvents<T>(silence.watching(stream))) {
      isDeaf = false;
      yield event;
      silence.start(patience());
    }
  } catch (error) {
    // However the stream words its abort.
    throw abandoned.signal.aborted ? abandoned.signal.reason : error;
  } finally {
    silence.stop();
    signal.removeEventListener('abort', forward);
    // For a reader that left in the middle; otherwise the stream has ended anyway.
    abandoned.abort();
  }
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
