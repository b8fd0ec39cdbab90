import { badRequest, expired } from '../status/errors.ts';
import { StatusError } from '../status/status-error.ts';
import type { Change } from '../storage/change-log.ts';
import type { StoredRecord } from '../storage/stored-record.ts';
import type { Table } from '../storage/table.ts';
import type { Machinery } from './machinery.ts';
import { parseResourceVersion } from './resource-version.ts';
import { tooLarge } from './too-large.ts';
import { type Selection, scopeOf } from './selection.ts';
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
  /** A revision that what exists has to show. It may be still to come. */
  notBefore: number;
}

/** Changes that were taken out of a selection, as the watchers of it see them. */
const departures = new WeakMap<Change, StoredRecord>();

/**
 * The events of one watch, taken one by one: first what exists, if that was asked for, then every change. Nothing is queued
 * for a watcher. It reads the history that the table keeps anyway, so one that reads slowly costs no memory; when it has fallen
 * behind by half of that history, its watch is over, and what is left lets the client resume.
 */
export class ObjectWatch {
  readonly #target: Target;
  readonly #table: Table;
  readonly #selection: Selection;
  readonly #scope: string;
  #existing: Iterator<StoredRecord> | undefined;
  /** Every change up to here was told, or is none of this watch. */
  #position: number;

  /**
   * @throws {StatusError} 410 when the changes since the start are forgotten, 504 when what exists is not as new as it has to be
   */
  constructor({ store }: Machinery, target: Target, { selection, start, notBefore }: WatchOptions) {
    const { table } = target.resource;
    if (notBefore > store.revision) throw tooLarge(`${notBefore}`, store.revision);
    if (start !== undefined && start < table.log.floor) {
      throw expired(`too old resource version: ${start} (${table.log.floor + 1})`);
    }
    this.#target = target;
    this.#table = table;
    this.#selection = selection;
    this.#scope = scopeOf(target, selection).scope;
    this.#position = start ?? store.revision;
    // What exists is fixed now: it is told while it may already change.
    if (start === undefined) this.#existing = table.list(this.#scope)[Symbol.iterator]();
  }

  /** Whether the state at the start has not been told to its end. */
  get isInitial(): boolean {
    return this.#existing !== undefined;
  }

  /** The resource version up to which everything was told. */
  get position(): number {
    return this.#position;
  }

  /** Whether changes were forgotten before they were told. */
  get isLost(): boolean {
    return this.#position < this.#table.log.floor;
  }

  /** Whether so much was not told yet that the client should rather begin again where it is, as long as that is possible. */
  get isFarBehind(): boolean {
    return this.isLost || this.#table.log.isFarBehind(this.#position);
  }

  /** Calls back at every change that may concern this watch. */
  onChange(callback: (change: Change) => void): () => void {
    return this.#table.audience.add(this.#scope, callback);
  }

  /** Skips history that is known to be none of this watch, so that it need not be kept for it. */
  advance(revision: number): void {
    this.#position = Math.max(this.#position, revision);
  }

  next(): WatchEvent | undefined {
    for (let next = this.#existing?.next(); next && !next.done; next = this.#existing?.next()) {
      if (this.#isSelected(next.value)) return { type: 'ADDED', record: next.value };
    }
    this.#existing = undefined;
    for (let change = this.#nextChange(); change; change = this.#nextChange()) {
      this.#position = change.record.revision;
      const event = this.#eventOf(change);
      if (event) return event;
    }
    return undefined;
  }

  #nextChange(): Change | undefined {
    return this.isLost ? undefined : this.#table.log.firstAfter(this.#position);
  }

  /** A change as seen through a selector: an object that starts to match is added, one that ceases to is deleted. */
  #eventOf(change: Change): WatchEvent | undefined {
    const { type, record, previous } = change;
    const before = this.#isSelected(previous);
    const now = type !== 'DELETED' && this.#isSelected(record);
    if (now) return { type: before ? 'MODIFIED' : 'ADDED', record };
    if (!before || !previous) return undefined;
    return { type: 'DELETED', record: type === 'DELETED' ? record : departed(change, previous) };
  }

  #isSelected(record: StoredRecord | undefined): boolean {
    if (!record) return false;
    const { resource, name } = this.#target;
    if (name !== '' && record.object.metadata.name !== name) return false;
    return record.key.startsWith(this.#scope) && this.#selection(viewOf(resource, record));
  }
}

/** What the watcher knows is the old object; that it left is news of the new revision. */
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
 * Finds where a watch starts.
 *
 * @param resourceVersion empty or `0` to begin with what exists
 * @param sendInitialEvents whether to begin with what exists, where the client says so
 * @throws {StatusError} 500, as a real server has it, for a text that is no resource version
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
