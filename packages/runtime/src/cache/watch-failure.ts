import { isApiError, isExpired } from '../errors/api-error.ts';
import { ConnectionError, isConnectionError } from '../errors/connection-error.ts';
import { SilentWatchError } from './follow-watch.ts';

/** The server ended a watch right after it started: reopening it immediately would be a hot loop. */
export class ShortWatchError extends ConnectionError {
  constructor() {
    super('The server ended the watch at once', 'The watch is reopened automatically.');
  }
}

/** A stream of initial events that did not end in time. */
export class SlowStreamError extends ConnectionError {
  constructor() {
    super('The server did not finish the initial events in time', 'The objects are listed instead.');
  }
}

/** The reason why a list or a watch failed, in a word or two: for metric labels and health checks. */
export function failureWord(error: unknown): string {
  if (isApiError(error)) return error.reason;
  if (error instanceof SilentWatchError) return 'silence';
  if (error instanceof ShortWatchError) return 'short';
  return isConnectionError(error) ? 'connection' : 'error';
}

/**
 * True if the requested version cannot be served: it was compacted (410), or this server has not reached it, for
 * example after a restore of etcd or behind a load balancer; or the next event is the deletion of an object that the
 * server could not read, which is sent without a name (KEP-3926). Only a list finds a version to resume from.
 */
export function isVersionUnavailable(error: unknown): boolean {
  if (isExpired(error) || hasDeliveredNothing(error)) return true;
  if (!isApiError(error)) return false;
  if (error.reason === 'StorageReadError') return true;
  const causes = error.details?.causes ?? [];
  // Servers before 1.20 say so only in the message.
  return (
    causes.some(({ reason }) => reason === 'ResourceVersionTooLarge') ||
    error.message.includes('Too large resource version')
  );
}

/**
 * True if a watch was open for a long time and delivered nothing: kube-apiserver accepts a version that it has not
 * reached yet without an error, and stays silent until it has.
 */
export function hasDeliveredNothing(error: unknown): boolean {
  return error instanceof SilentWatchError && error.hasDeliveredNothing;
}

/**
 * True if the version cannot be served, and the server asks for a list without a delay. The embedded server does so after it has returned to
 * a snapshot: while caches wait, they work against each other.
 */
export function asksForList(error: unknown): boolean {
  return isExpired(error) && isApiError(error) && error.details?.retryAfterSeconds === 0;
}

/** True if the server reports an internal error. */
export function isBroken(error: unknown): boolean {
  return isApiError(error) && error.status === 500;
}

/** True if the server refuses such requests permanently; false for what may pass. */
export function isRefusal(error: unknown): boolean {
  if (!isApiError(error) || error.status < 400 || error.status >= 500) return false;
  // 401 passes when credentials are renewed, 408 and 429 with time: the known version stays valid.
  return error.status !== 401 && error.status !== 408 && error.status !== 429;
}
