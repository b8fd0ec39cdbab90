import { StatusError } from '../status/status-error.ts';
import { expired } from '../status/errors.ts';
import type { Change } from '../storage/change-log.ts';
import type { StoredRecord } from '../storage/stored-record.ts';
import type { Machinery } from './machinery.ts';
import type { Selection } from './selection.ts';
import type { Target } from './target.ts';
import { viewOf } from './views.ts';

/** What a watcher is told. */
export interface WatchEvent {
  type: 'ADDED' | 'MODIFIED' | 'DELETED';
  record: StoredRecord;
}

/** What a watch is asked for. */
export interface WatchOptions {
  selection: Selection;
  /** The revision after which changes are told; none to begin with what exists. */
  start: number | undefined;
}

/**
 * Tells of every change from a moment on: first of those up to now, before this function returns, then of each as it happens.
 *
 * @returns a function that ends the watch
 * @throws {StatusError} 410 when the changes since that moment are forgotten
 */
export function watchObjects(
  { store }: Machinery,
  target: Target,
  options: WatchOptions,
  send: (event: WatchEvent) => void,
): () => void {
  const { resource, namespace } = target;
  const { table } = resource;
  const { start } = options;
  const prefix = namespace === '' ? '' : `${namespace}/`;
  const isSelected = (record: StoredRecord | undefined) =>
    record !== undefined &&
    (target.name === '' || record.object.metadata.name === target.name) &&
    options.selection(viewOf(resource, record));
  const tell = (change: Change) => {
    if (!change.record.key.startsWith(prefix)) return;
    const event = eventOf(change, isSelected);
    if (event) send(event);
  };
  if (start === undefined) {
    for (const record of table.list(prefix)) if (isSelected(record)) send({ type: 'ADDED', record });
  } else {
    if (start < table.log.floor) throw expired(`too old resource version: ${start} (${table.log.floor + 1})`);
    for (const change of table.log.after(start)) tell(change);
  }
  return store.subscribe((changed, change) => {
    if (changed === table && change.record.revision > (start ?? 0)) tell(change);
  });
}

/** A change as seen through a selector: an object that starts to match is added, one that ceases to is deleted. */
function eventOf(
  { type, record, previous }: Change,
  isSelected: (record: StoredRecord | undefined) => boolean,
): WatchEvent | undefined {
  const before = isSelected(previous);
  const now = type !== 'DELETED' && isSelected(record);
  if (now) return { type: before ? 'MODIFIED' : 'ADDED', record };
  if (!before || !previous) return undefined;
  if (type === 'DELETED') return { type, record };
  // What the watcher knows is the old object; that it left is news of this revision.
  const metadata = { ...previous.object.metadata, resourceVersion: `${record.revision}` };
  return { type: 'DELETED', record: { ...record, object: { ...previous.object, metadata } } };
}

/**
 * Reads where a watch starts.
 *
 * @param resourceVersion empty or `0` to begin with what exists
 * @throws {StatusError} 500, as a real server has it, for a text that is no resource version
 */
export function parseWatchStart(resourceVersion: string): number | undefined {
  if (resourceVersion === '' || /^0+$/.test(resourceVersion)) return undefined;
  if (/^\d{1,15}$/.test(resourceVersion)) return Number(resourceVersion);
  const value = JSON.stringify(resourceVersion);
  throw new StatusError(
    500,
    undefined,
    `resourceVersion: Invalid value: ${value}: strconv.ParseUint: parsing ${value}: invalid syntax`,
  );
}
