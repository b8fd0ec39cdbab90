import { isExpired, isNotFound } from '../errors/api-error.ts';
import { SlowStreamError, isBroken, isRefusal, isVersionUnavailable } from './watch-failure.ts';

/** What a reflector does now; every step leads to the next. */
export type ReflectorState =
  | { phase: 'list'; paged: boolean }
  /** Like `list`, with a watch that starts with all objects. */
  | { phase: 'stream' }
  | WatchState;

export interface WatchState {
  phase: 'watch';
  /** Of the last event, bookmarks included. */
  resourceVersion: string;
}

/** How to read the whole state: as a stream if that works, otherwise in pages. */
export function firstState(streams: boolean): ReflectorState {
  return streams ? { phase: 'stream' } : { phase: 'list', paged: true };
}

/** True if a stream failed and would fail again: the server does not support it, or never finishes it. */
export function isStreamHopeless(error: unknown): boolean {
  return error instanceof SlowStreamError || (isRefusal(error) && !isNotFound(error) && !isExpired(error));
}

/** What determines the next step, besides the failure itself. */
export interface Circumstances {
  /** Whether the whole state may be read as a stream. */
  streams: boolean;
  /** For how long there have been only failures, in milliseconds. */
  age: number;
}

/** A server may need this long to find its etcd again. In milliseconds. */
const maxTroubleMs = 60_000;

/** What to do after a failure. */
export function stateAfter(
  state: ReflectorState,
  error: unknown,
  { streams, age }: Circumstances,
): ReflectorState {
  if (state.phase === 'stream') return firstState(streams);
  // An expired page token would expire again: the next list requests everything at once. If that fails, for example
  // because of its size, pages are tried again.
  if (state.phase === 'list') return { phase: 'list', paged: !isExpired(error) };
  // A permanent refusal, for example because the CRD was deleted or access was revoked: the mirrored state may be wrong
  // by now.
  if (isVersionUnavailable(error) || isRefusal(error)) return firstState(streams);
  // The server may fail again and again at one old event but know the current state.
  return isBroken(error) && age >= maxTroubleMs ? firstState(streams) : state;
}
