import type { Kind, KubernetesObject } from 'ots-kubernetes';
import { isForbidden, isNotFound } from '../errors/api-error.ts';
import type { Clock } from 'ots-apimachinery/clock/clock';
import { runInContext } from '../context/work-context.ts';
import { errorMessage } from '../errors/error-message.ts';
import type { Logger } from '../logging/logger.ts';
import { discover } from '../mapping/discover.ts';
import { installHint } from '../mapping/install-hint.ts';
import { kindName } from '../mapping/kind-name.ts';
import { metadataOf } from '../objects/metadata-of.ts';
import type { ObjectKey } from '../objects/object-key.ts';
import { projectionText } from '../objects/projection-of.ts';
import type { Transport } from '../transport/transport.ts';
import type { CachedObjects } from './cached-objects.ts';
import type { Change } from './object-store.ts';
import type { InformerObserver } from './informer-observer.ts';
import { isUpToDate } from './is-up-to-date.ts';
import { listAll } from './list-all.ts';
import { ListWatcher, type Selection } from './list-watcher.ts';
import { MirroredCollection } from './mirrored-collection.ts';
import type { SelectedNamespace } from './namespace-feed.ts';
import type { ObjectPreparer } from './object-preparer.ts';
import { Reflector } from './reflector.ts';
import type { ReflectorFailure } from './reflector-health.ts';
import type { ReflectorSink } from './reflector-options.ts';
import { isOlder } from './resource-version.ts';
import { failureWord } from './watch-failure.ts';

export interface InformerPartOptions<T extends KubernetesObject> {
  kind: Kind<T>;
  selection: Selection;
  /** The namespace if it was selected at run time: what forbids to read it then concerns only this part. */
  selected: SelectedNamespace | undefined;
  optional: boolean;
  watchList: boolean;
  objects: CachedObjects<T>;
  preparer: ObjectPreparer<T>;
  /** The store has changed by one event. */
  changed: (changes: Change<T>[]) => void;
  /** The store has changed as a whole, for the first time when `isInitial`. */
  replaced: (changes: Change<T>[], isInitial: boolean) => Promise<void>;
  /** Objects have left the store that others own. */
  left: (changes: Change<T>[]) => Promise<void>;
  /** A list is stored and its handlers were notified, or the server refused to list. */
  settled: () => void;
  transport: Transport;
  clock: Clock;
  logger: Logger;
  observer: InformerObserver | undefined;
  random: (() => number) | undefined;
}

/**
 * A kind that existed counts as removed after this time, if discovery agrees: a server that has just started may
 * briefly not serve it. In milliseconds.
 */
const goneAfter = 5_000;
/** If a watch fails for longer, the cache counts as out of date: API servers restart faster. In milliseconds. */
const staleAfter = 60_000;

/** What an informer knows of one namespace, or of the cluster. */
export class InformerPart<T extends KubernetesObject> {
  readonly #options: InformerPartOptions<T>;
  readonly #reflector: Reflector<T>;
  readonly #source: ListWatcher<T>;
  readonly #sink: ReflectorSink<T> = {
    prepare: (object) => this.#prepare(object),
    replaced: (objects, version) => this.#replace(objects, version, true),
    changed: (type, object) => this.#change(type, object),
    reached: (version) => this.#reach(version),
    absent: (milliseconds, signal) => this.#absent(milliseconds, signal),
    failed: () => this.#failed(),
  };
  #version: string | undefined;
  #isSynced = false;
  #exists = true;
  /** Handlers are being notified of a list. */
  #isTelling = false;
  #isSaidAbsent = false;
  /** Whether objects have become its own that it has not listed yet. */
  #hasGained = false;
  /** While handlers learn of objects that have left. */
  #leaving: Promise<void> = Promise.resolve();
  #isSaidUnselected = false;
  /** While handlers learn of a list. */
  #telling: Promise<void> = Promise.resolve();
  #signal: AbortSignal | undefined;

  constructor(options: InformerPartOptions<T>) {
    this.#options = options;
    const { kind, selection, transport, clock, logger, observer, selected, watchList, random } = options;
    this.#source = new ListWatcher(transport, kind, selection);
    this.#reflector = new Reflector({
      source: this.#source,
      sink: this.#sink,
      clock,
      logger,
      observer,
      selected,
      watchList,
      random,
    });
  }

  /** All changes up to this version are in the store; undefined before the first list. */
  get version(): string | undefined {
    return this.#version;
  }

  /** Whether it can serve reads, also because an optional kind does not exist. */
  get isSynced(): boolean {
    return this.#isSynced;
  }

  /** Whether the handlers have seen its objects, or will not for now because the server forbids to read them. */
  get isSettled(): boolean {
    return this.#isSynced ? !this.#isTelling : this.isRefused;
  }

  /** Whether its namespace was selected at run time, and its objects are not there yet. */
  get isComing(): boolean {
    return this.#options.selected !== undefined && !this.#isSynced;
  }

  /** Whether the server forbids to read a namespace that was selected at run time. */
  get isRefused(): boolean {
    return this.#options.selected !== undefined && isForbidden(this.failure?.error);
  }

  /** False when the kind does not exist on the server. */
  get exists(): boolean {
    return this.#exists;
  }

  get failure(): ReflectorFailure | undefined {
    return this.#reflector.failure;
  }

  /** Why the objects are not complete and current; undefined if they are. */
  get problem(): string | undefined {
    const { kind, selection, clock, optional } = this.#options;
    const { failure } = this;
    const projection = projectionText(kind);
    const name = `${kind.kind}.${kind.apiVersion}${projection === undefined ? '' : ` (${projection})`}`;
    const where = selection.namespace === undefined ? name : `${name} in ${selection.namespace}`;
    const age = failure ? clock.now() - failure.since : 0;
    const why = failure
      ? ` (${failureWord(failure.error)} for ${Math.round(age / 1000)} s: ${errorMessage(failure.error)})`
      : '';
    if (!this.#isSynced && isNotFound(failure?.error)) return `${kindName(kind)} is not installed`;
    if (!this.#isSynced) return `${where} is not cached yet${why}`;
    const isExpected = optional && !this.#exists && isNotFound(failure?.error);
    return age >= staleAfter && !isExpected ? `${where} is out of date${why}` : undefined;
  }

  /**
   * Asks the server for changes that the store has not received yet. The watch cannot tell: without a change it
   * delivers no event to wait for. False while the server forbids to read a namespace that was selected at run time.
   * @throws {ApiError}, {ConnectionError} when the server does not respond, and the signal's reason when it aborts.
   */
  async isBehind(signal: AbortSignal): Promise<boolean> {
    const { kind, selection, transport, clock, objects } = this.#options;
    const source = new ListWatcher<KubernetesObject>(transport, metadataOf(kind), selection);
    if (this.isRefused) return isAllowed(source, signal);
    if (!this.#isSynced || this.#isTelling || this.#hasGained) return true;
    if (!this.#exists) return false;
    const listed = await listAll({ source, paged: true, clock, prepare: asItCame, heard: () => {} }, signal);
    return this.#isTelling || this.#hasGained || !isUpToDate(objects.store, selection.namespace, listed);
  }

  /** Runs until the signal aborts, and stores nothing after that. Never rejects. */
  run(signal: AbortSignal): Promise<void> {
    this.#signal = signal;
    const end = this.#options.selection.ownership?.onChange((hasGained) => this.#follow(hasGained));
    return this.#fill(signal).finally(end);
  }

  async #fill(signal: AbortSignal): Promise<void> {
    await this.#mirrored(signal);
    await this.#reflector.run(signal);
  }

  /** @returns undefined where only requests can tell which objects there are. */
  #mirrored(signal: AbortSignal): Promise<void> | undefined {
    const { kind, selection, transport } = this.#options;
    const { namespace, labelSelector, fieldSelector, ownership } = selection;
    if (!transport.mirror || namespace || labelSelector || fieldSelector || ownership) return undefined;
    return new MirroredCollection(kind, this.#sink).run(transport.mirror, signal);
  }

  /**
   * Other objects are its own than before. Those that are not any more leave at once; all others are listed again, with
   * those that are new.
   */
  #follow(hasGained: boolean): void {
    if (this.#signal?.aborted) return;
    const { selection, objects, left } = this.#options;
    const changes = objects.store.retain((object) => this.#source.selects(object), selection.namespace);
    objects.overlay.retain((uid) => selection.ownership!.owns(uid ?? ''));
    if (changes.length > 0)
      this.#leaving = Promise.all([this.#leaving, this.#telling]).then(() => left(changes));
    if (!hasGained) return;
    this.#hasGained = true;
    this.#reflector.relist();
  }

  /** Keeps the known object instead if it is equal: a list without changes costs no memory. */
  #prepare(object: T): T {
    const { metadata } = object;
    const known = this.#options.objects.store.get(metadata as ObjectKey);
    const isKnown =
      known?.metadata.resourceVersion === metadata.resourceVersion && known?.metadata.uid === metadata.uid;
    return known && isKnown ? known : this.#options.preparer.prepare(object);
  }

  async #replace(objects: T[], version: string | undefined, exists: boolean): Promise<void> {
    // One that comes back must not be added before handlers know that it has left.
    if (this.#options.selection.ownership) await this.#leaving;
    if (this.#signal?.aborted) return;
    const { store, overlay } = this.#options.objects;
    const undelivered = overlay.undelivered();
    const isInitial = !this.#isSynced || !this.#exists || this.#hasGained;
    this.#hasGained = false;
    const selected = objects.filter((object) => this.#source.selects(object));
    const changes = store.replace(selected, this.#options.selection.namespace);
    // The server was restored from a backup: writes since then are lost, and the watch would never catch up with them.
    const isBack = version !== undefined && this.#version !== undefined && isOlder(version, this.#version);
    if (isBack) overlay.clear();
    this.#version = version;
    this.#isSynced = true;
    this.#exists = exists;
    if (exists && this.#isSaidAbsent) {
      this.#isSaidAbsent = false;
      this.#options.logger.info(
        { kind: this.#options.kind.kind },
        `${kindName(this.#options.kind)} is installed now`,
      );
    }
    overlay.sweep();
    changes.push(...this.#options.objects.missed(undelivered));
    this.#sayUnselected();
    this.#isTelling = true;
    this.#telling = this.#options.replaced(changes, isInitial).finally(() => {
      this.#isTelling = false;
    });
    await this.#telling;
    this.#options.settled();
  }

  /** Logs once that all objects are received, although the replicas divide them. */
  #sayUnselected(): void {
    if (this.#isSaidUnselected || this.#source.isSelectedByServer !== false) return;
    this.#isSaidUnselected = true;
    const { kind, logger } = this.#options;
    logger.info(
      { kind: kind.kind },
      'the server does not select by shard; this replica receives all objects and keeps its own',
    );
  }

  #failed(): void {
    if (this.isRefused) this.#options.settled();
  }

  #change(type: 'ADDED' | 'MODIFIED' | 'DELETED', object: T): void {
    if (this.#signal?.aborted) return;
    const { store } = this.#options.objects;
    const changes = type === 'DELETED' ? store.delete(object) : store.upsert(object);
    // A late event must not lower the version: own writes from in between would hide what followed them.
    const version = object.metadata.resourceVersion!;
    if (this.#version === undefined || !isOlder(version, this.#version)) this.#version = version;
    this.#options.changed(changes);
  }

  #reach(version: string): void {
    this.#version = version;
    this.#options.objects.overlay.sweep();
  }

  async #absent(milliseconds: number, signal: AbortSignal): Promise<void> {
    const { optional, objects } = this.#options;
    if (!this.#isSynced && !optional) return this.#sayAbsent('error');
    if (this.#isSynced) {
      if (!this.#exists || milliseconds < goneAfter) return;
      if (!(await this.#isUndiscovered(signal))) return;
    }
    if (this.#isSynced && !optional) this.#sayAbsent('warn');
    objects.overlay.clear();
    await this.#replace([], undefined, false);
  }

  /** Logs once until the kind exists: the informer checks every few seconds. */
  #sayAbsent(level: 'error' | 'warn'): void {
    if (this.#isSaidAbsent) return;
    this.#isSaidAbsent = true;
    const { kind, selection, logger } = this.#options;
    const details = { kind: kind.kind, namespace: selection.namespace };
    logger[level](details, `${kindName(kind)} is not installed; ${installHint(kind)}`);
  }

  /**
   * True when the server says that it has no such kind. A proxy that has lost its server responds to everything with 404,
   * and controllers that mistake that for the deletion of all objects would clean up after them.
   */
  async #isUndiscovered(signal: AbortSignal): Promise<boolean> {
    const { kind, transport } = this.#options;
    try {
      const kinds = await runInContext({ signal }, () => discover(transport));
      return !kinds.some(
        ({ apiVersion, plural }) => apiVersion === kind.apiVersion && plural === kind.plural,
      );
    } catch {
      return false;
    }
  }
}

/** @throws what a list fails with, except that the server forbids it. */
async function isAllowed(source: ListWatcher<KubernetesObject>, signal: AbortSignal): Promise<boolean> {
  try {
    await source.list({ limit: 1 }, signal);
    return true;
  } catch (error) {
    if (isForbidden(error)) return false;
    throw error;
  }
}

function asItCame(object: KubernetesObject): KubernetesObject {
  return object;
}
