import { RuntimeError } from '../errors/runtime-error.ts';

/** The cache was read before it was filled, or could not be filled in time. */
export class CacheSyncError extends RuntimeError {
  /** Stable; to branch on. */
  readonly code = 'CACHE_NOT_SYNCED';
}
