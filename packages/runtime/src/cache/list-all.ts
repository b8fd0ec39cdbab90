import type { KubernetesObject } from 'ots-kubernetes';
import type { Clock } from '../clock/clock.ts';
import { Breather } from './breather.ts';
import type { ListWatcher } from './list-watcher.ts';
import { nextPageSize } from './page-size.ts';

export interface ListAllOptions<T extends KubernetesObject> {
  source: ListWatcher<T>;
  paged: boolean;
  clock: Clock;
  /** Makes an object that came ready for keeping. */
  prepare: (object: T) => T;
  /** A page has come. */
  heard: () => void;
}

const firstPage = 500;

/**
 * Lists a collection, page by page, so that no more than a page is in memory in the form in which it came, and so that
 * a large one does not block the event loop.
 * @throws {ApiError}, {ConnectionError} when a page fails, and the signal's reason when it aborts.
 */
export async function listAll<T extends KubernetesObject>(
  { source, paged, clock, prepare, heard }: ListAllOptions<T>,
  signal: AbortSignal,
): Promise<{ objects: T[]; resourceVersion: string }> {
  const objects: T[] = [];
  const breather = new Breather(clock);
  let limit = firstPage;
  let token: string | undefined;
  let resourceVersion: string;
  do {
    const page = await source.list({ ...(paged && { limit }), continue: token }, signal);
    heard();
    const items = page.items ?? [];
    limit = nextPageSize(items, limit);
    for (const item of items) {
      objects.push(prepare(item));
      if (breather.isDue) await breather.breathe();
    }
    token = page.metadata.continue || undefined;
    resourceVersion = page.metadata.resourceVersion;
  } while (token !== undefined);
  signal.throwIfAborted();
  return { objects, resourceVersion };
}
