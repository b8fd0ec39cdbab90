import { badRequest, expired, replaced } from '../status/errors.ts';
import { StatusError } from '../status/status-error.ts';
import type { Change } from '../storage/change-log.ts';
import type { StoredRecord } from '../storage/stored-record.ts';
import type { Table } from '../storage/table.ts';
import type { Machinery } from '../registry/machinery.ts';
import { parseResourceVersion, tooLarge } from '../registry/resource-version.ts';
import { type Selection, scopeOf } from '../registry/selection.ts';
import type { Target } from '../registry/target.ts';
import { prepareView, prepareViews, viewOf } from '../registry/views.ts';

/** An event for a watcher. */
export interface WatchEvent {
  type: 'ADDED' | 'MODIFIED' | 'DELETED';
  record: StoredRecord;
}

/** The options of a watch. */
export interface WatchOptions {
  selection: Selection;
  /** The revision after which changes are reported; undefined to begin with the existing objects. */
  start: number | undefined;
  /** The minimum revision of the existing objects. It may be in the future. */
  notBefore: number;
}

/** Changes that moved an object out of a selection, as the watchers of it see them. */
const departures = new WeakMap<Change, StoredRecord>();

/**
 * The events of one watch, delivered on demand: first the existing objects, if requested, then every change. A watch
 * has no queue. It reads the history that the table keeps anyway, so a slow watcher costs no memory. If it falls
 * behind by half of the history, its watch ends and the client can resume.
 */
export class ObjectWatch {
  readonly #target: Target;
  readonly #table: Table;
  readonly #selection: Selection;
  readonly #scope: string;
  /** Those existing objects that are still to be delivered, in order from `#nextExisting` on. */
  #existing: readonly StoredRecord[] | undefined;
  #nextExisting = 0;
  /** Every change up to here was delivered, or does not concern this watch. */
  #position: number;

  /**
   * @throws {StatusError} 410 when the changes since the start are gone, 504 when the existing objects are not as
   *   new as requested
   */
  constructor({ store }: Machinery, target: Target, { selection, start, notBefore }: WatchOptions) {
    const { table } = target.resource;
    if (notBefore > store.revision) throw tooLarge(`${notBefore}`, store.revision);
    if (start !== undefined && start < table.log.floor) {
      const refuse = start < table.log.beginning ? replaced : expired;
      throw refuse(`too old resource version: ${start} (${table.log.floor + 1})`);
    }
    this.#target = target;
    this.#table = table;
    this.#selection = selection;
    this.#scope = scopeOf(target, selection).scope;
    this.#position = start ?? store.revision;
    // Take the existing objects now: they may change before they are delivered.
    if (start === undefined) this.#existing = table.list(this.#scope);
  }

  /** Whether part of the initial state is still to be delivered. */
  get isInitial(): boolean {
    return this.#existing !== undefined;
  }

  /** The resource version up to which everything was delivered. */
  get position(): number {
    return this.#position;
  }

  /** Whether changes were dropped from the history before they were delivered. */
  get isLost(): boolean {
    return this.#position < this.#table.log.floor;
  }

  /** Whether the watch is so far behind that the client should resume at its position while that is still possible. */
  get isFarBehind(): boolean {
    return this.isLost || this.#table.log.isFarBehind(this.#position);
  }

  /** Calls back at every change that may concern this watch. */
  onChange(callback: (change: Change) => void): () => void {
    return this.#table.subscribers.add(this.#scope, callback);
  }

  /** Skips history that does not concern this watch, so it need not be kept for it. */
  advance(revision: number): void {
    this.#position = Math.max(this.#position, revision);
  }

  /**
   * The next event; undefined when there is none yet. A promise when a webhook has to convert objects before that is known.
   *
   * The promise rejects with a StatusError when the webhook fails.
   */
  next(): WatchEvent | Promise<void> | undefined {
    const { resource } = this.#target;
    for (
      let record = this.#existing?.[this.#nextExisting];
      record;
      record = this.#existing?.[this.#nextExisting]
    ) {
      const preparing = this.#prepare([record]);
      if (preparing) return preparing;
      this.#nextExisting += 1;
      if (this.#isSelected(record)) return { type: 'ADDED', record };
    }
    this.#existing = undefined;
    for (let change = this.#nextChange(); change; change = this.#nextChange()) {
      const event = this.#prepare([change.record, change.previous]) ?? this.#eventOf(change);
      const preparing = event instanceof Promise ? event : event && prepareView(resource, event.record);
      if (preparing) return preparing;
      this.#position = change.record.revision;
      if (event) return event;
    }
    return undefined;
  }

  /** Converts the states that this watch has to look at. */
  #prepare(records: readonly (StoredRecord | undefined)[]): Promise<void> | undefined {
    const { resource } = this.#target;
    if (!resource.strategy.slowConversion) return undefined;
    const seen = records.filter((record) => record !== undefined && this.#concerns(record));
    return prepareViews(resource, seen as StoredRecord[]);
  }

  #nextChange(): Change | undefined {
    return this.isLost ? undefined : this.#table.log.firstAfter(this.#position);
  }

  /** A change as seen through a selector: an object that starts to match is added, one that stops matching is deleted. */
  #eventOf(change: Change): WatchEvent | undefined {
    const { type, record, previous } = change;
    const before = this.#isSelected(previous);
    const now = type !== 'DELETED' && this.#isSelected(record);
    if (now) return { type: before ? 'MODIFIED' : 'ADDED', record };
    if (!before || !previous) return undefined;
    return { type: 'DELETED', record: type === 'DELETED' ? record : departed(change, previous) };
  }

  #isSelected(record: StoredRecord | undefined): boolean {
    if (!record || !this.#concerns(record)) return false;
    return this.#selection(viewOf(this.#target.resource, record));
  }

  #concerns({ key, object }: StoredRecord): boolean {
    const { name } = this.#target;
    return (name === '' || object.metadata.name === name) && key.startsWith(this.#scope);
  }
}

/** The watcher knows the old object; its departure has the new revision. */
function departed(change: Change, previous: StoredRecord): StoredRecord {
  const known = departures.get(change);
  if (known) return known;
  const { key, revision } = change.record;
  const metadata = { ...previous.object.metadata, resourceVersion: `${revision}` };
  const record = { key, revision, object: { ...previous.object, metadata } };
  departures.set(change, record);
  return record;
}

/** @throws {StatusError} 400 when the field selector contradicts the name in the path */
export function checkWatchedName({ name }: Target, { hasFields, exactName }: Selection): void {
  if (name === '' || !hasFields || exactName === name) return;
  throw badRequest("fieldSelector metadata.name doesn't match requested name");
}

/**
 * Determines where a watch starts.
 *
 * @param resourceVersion empty or `0` to begin with the existing objects
 * @param sendInitialEvents whether to begin with the existing objects, if the client says so
 * @throws {StatusError} 500, like a real server, for a text that is not a resource version
 */
export function findWatchStart(
  { store }: Machinery,
  resourceVersion: string,
  sendInitialEvents: boolean | undefined,
): Pick<WatchOptions, 'start' | 'notBefore'> {
  const revision = revisionIn(resourceVersion);
  if (sendInitialEvents) return { start: undefined, notBefore: revision };
  const present = sendInitialEvents === false ? store.revision : undefined;
  return { start: revision === 0 ? present : revision, notBefore: 0 };
}

function revisionIn(resourceVersion: string): number {
  if (resourceVersion === '') return 0;
  try {
    return parseResourceVersion(resourceVersion);
  } catch (error) {
    throw error instanceof SyntaxError ? new StatusError(500, undefined, error.message) : error;
  }
}
