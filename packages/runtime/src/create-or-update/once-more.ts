import { isAlreadyExists, isConflict } from '../errors/api-error.ts';

/**
 * Runs `attempt`, and retries once if another writer created or changed the object between its read and its write. The
 * caller handles a second conflict: the queue's growing delay is the better way to wait.
 */
export async function onceMore<T>(attempt: () => Promise<T>): Promise<T> {
  try {
    return await attempt();
  } catch (error) {
    if (!isConflict(error) && !isAlreadyExists(error)) throw error;
    return attempt();
  }
}
