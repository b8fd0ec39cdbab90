import { isApiError, isExpired } from '../errors/api-error.ts';
import { ConnectionError, isConnectionError } from '../errors/connection-error.ts';
import { SilentWatchError } from './follow-watch.ts';

/** The server ended a watch right after it began: to open it again and again would be a hot loop. */
export class ShortWatchError extends ConnectionError {
  constructor() {
    super('the server ended the watch at once', 'It is opened again by itself.');
  }
}

/** A stream of initial events that did not end in time. */
export class SlowStreamError extends ConnectionError {
  constructor() {
    super('the server did not finish the initial events in time', 'They are listed instead.');
  }
}

/** In a word or two, why a list or a watch failed: for labels of metrics and for health checks. */
export function failureWord(error: unknown): string {
  if (isApiError(error)) return error.reason;
  if (error instanceof SilentWatchError) return 'silence';
  if (error instanceof ShortWatchError) return 'short';
  return isConnectionError(error) ? 'connection' : 'error';
}

/**
 * True when the version that was asked for cannot be served: it is forgotten (410), or one that this server has not
 * reached, as after a restore of etcd or behind a load balancer; or what came next is the end of an object that the
 * server could not read any more, which is told without a name (KEP-3926). Only a list finds a version to go on from.
 */
export function isVersionUnavailable(error: unknown): boolean {
  if (isExpired(error) || isDeaf(error)) return true;
  if (!isApiError(error)) return false;
  if (error.reason === 'StorageReadError') return true;
  const causes = error.details?.causes ?? [];
  // Servers before 1.20 say it in the message alone.
  return (
    causes.some(({ reason }) => reason === 'ResourceVersionTooLarge') ||
    error.message.includes('Too large resource version')
  );
}

/**
 * True when a watch was open for a long time and not a word came: kube-apiserver takes a version that it has not reached
 * yet without an error, and says nothing until it has.
 */
export function isDeaf(error: unknown): boolean {
  return error instanceof SilentWatchError && error.isDeaf;
}

/** True when the server itself does not know what is wrong with it. */
export function isBroken(error: unknown): boolean {
  return isApiError(error) && error.status === 500;
}

/** True when the server says for good that it does not serve such a request; false for what may pass. */
export function isRefusal(error: unknown): boolean {
  if (!isApiError(error) || error.status < 400 || error.status >= 500) return false;
  // 401 passes when credentials are renewed, 408 and 429 with time: the version that is known stays good.
  return error.status !== 401 && error.status !== 408 && error.status !== 429;
}
