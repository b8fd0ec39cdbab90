import { isExpired, isNotFound } from '../errors/api-error.ts';
import { SlowStreamError, isBroken, isRefusal, isVersionUnavailable } from './watch-failure.ts';

/** What a reflector does now; every step leads to the next. */
export type ReflectorState =
  | { phase: 'list'; paged: boolean }
  /** As `list`, by a watch that begins with all objects. */
  | { phase: 'stream' }
  | WatchState;

export interface WatchState {
  phase: 'watch';
  /** Of the last event, bookmarks included. */
  resourceVersion: string;
}

/** How the whole state is to be got: as a stream where that works, else in pages. */
export function firstState(streams: boolean): ReflectorState {
  return streams ? { phase: 'stream' } : { phase: 'list', paged: true };
}

/** True when a stream failed in a way that it will fail again: the server cannot, or never comes to the end. */
export function isStreamHopeless(error: unknown): boolean {
  return error instanceof SlowStreamError || (isRefusal(error) && !isNotFound(error) && !isExpired(error));
}

/** What decides over the next step, beside the failure itself. */
export interface Circumstances {
  /** Whether the whole state may be got as a stream. */
  streams: boolean;
  /** For how long nothing but failures has come, in milliseconds. */
  age: number;
}

/** As long as a server may take to find its etcd again. */
const longestTrouble = 60_000;

/** What to do after a failure. */
export function stateAfter(
  state: ReflectorState,
  error: unknown,
  { streams, age }: Circumstances,
): ReflectorState {
  if (state.phase === 'stream') return firstState(streams);
  // A page token that expired would expire again: the next list asks for everything at once. When that fails, as it
  // may for its size, pages are tried again.
  if (state.phase === 'list') return { phase: 'list', paged: !isExpired(error) };
  // Refused for good, as when the CRD is gone or access was revoked: what was mirrored may be wrong by now.
  if (isVersionUnavailable(error) || isRefusal(error)) return firstState(streams);
  // The server may stumble over one old event, which it is asked for again and again, and know the current state well.
  return isBroken(error) && age >= longestTrouble ? firstState(streams) : state;
}
