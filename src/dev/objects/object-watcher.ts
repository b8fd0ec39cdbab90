import type { Clock } from 'ots-apimachinery/clock/clock';
import type { Kind, KubernetesObject } from 'ots-kubernetes';
import {
  type ConnectionConfig,
  type DeepReadonly,
  Manager,
  type UnstructuredObject,
  createLogger,
} from 'ots-runtime';
import { groupOf } from '../../deploy/object-name.ts';
import type { ChangeState } from '../model/dev-state.ts';
import type { DevStore } from '../store/dev-store.ts';
import { changedValues } from './changed-values.ts';
import { eventState } from './event-state.ts';
import { type AnyObject, objectState, shown } from './object-state.ts';
import { PrinterColumns } from './printer-columns.ts';

/** How many changes of an object are kept. */
const maxChanges = 20;
/** How long an object that is gone stays in view, in milliseconds. */
const goneMs = 10_000;

/** An object that the cluster has, or had. */
interface Known {
  readonly kind: Kind<UnstructuredObject>;
  object: AnyObject;
  changes: ChangeState[];
}

/** Watches what the operator works on, and keeps the store up to date: the objects of some kinds, and all that they own. */
export class ObjectWatcher {
  readonly #manager: Manager;
  readonly #store: DevStore;
  readonly #clock: Clock;
  readonly #columns: PrinterColumns;
  readonly #known = new Map<string, Known>();
  /** The uids of what an object owns. */
  readonly #owned = new Map<string, Set<string>>();
  /** The kinds whose objects are shown; of others, only samples and what is owned by an object that is shown. */
  readonly #roots = new Set<string>();
  /** The uids of objects that are shown whatever their kind is. */
  readonly #samples = new Set<string>();
  readonly #watched = new Set<string>();
  readonly #forgetting = new Set<NodeJS.Timeout>();

  private constructor(manager: Manager, store: DevStore, clock: Clock) {
    this.#manager = manager;
    this.#store = store;
    this.#clock = clock;
    this.#columns = new PrinterColumns(manager.client);
  }

  /**
   * @param connection of an administrator
   * @param clock that of the cluster
   */
  static async start(connection: ConnectionConfig, store: DevStore, clock: Clock): Promise<ObjectWatcher> {
    const logger = createLogger({ level: 'error', stream: { write: () => true } });
    const manager = await Manager.create({ connection, userAgent: 'ots-dev', logger, webhooks: false });
    const watcher = new ObjectWatcher(manager, store, clock);
    // Ends with stop().
    manager.start().catch(() => undefined);
    await manager.ready;
    return watcher;
  }

  get client(): Manager['client'] {
    return this.#manager.client;
  }

  /** Watches the objects of kinds, from now on. @param isRoot whether they are shown if nothing owns them */
  watch(kinds: readonly Kind<UnstructuredObject>[], isRoot: boolean): void {
    for (const kind of kinds) {
      const id = `${kind.apiVersion} ${kind.kind}`;
      if (isRoot) this.#roots.add(groupKind(kind));
      if (this.#watched.has(id)) continue;
      this.#watched.add(id);
      const handle = kind.kind === 'Event' ? this.#eventHandler() : this.#objectHandler(kind);
      this.#manager.cache.informer(kind).addHandler(handle);
    }
  }

  /** Shows objects that nothing owns and whose kind is not a root. */
  async watchSamples(samples: readonly KubernetesObject[]): Promise<void> {
    const { mapper } = this.client;
    const others = samples.filter((sample) => !this.isRoot(sample));
    this.watch(
      await Promise.all(others.map(({ apiVersion, kind }) => mapper.kindFor(apiVersion, kind))),
      false,
    );
    for (const { metadata } of others) {
      const uid = metadata.uid ?? '';
      this.#samples.add(uid);
      if (this.#known.has(uid)) this.#show(uid);
    }
  }

  /** Whether an object is of a root kind, in whichever version. */
  isRoot(object: Pick<KubernetesObject, 'apiVersion' | 'kind'>): boolean {
    return this.#roots.has(groupKind(object));
  }

  /** Asks for the columns of all objects of root kinds: their definitions may have changed. */
  refreshColumns(): void {
    for (const [uid, { kind }] of this.#known) if (this.isRoot(kind)) this.#show(uid);
  }

  async stop(): Promise<void> {
    for (const timer of this.#forgetting) clearTimeout(timer);
    await this.#manager.stop();
  }

  #objectHandler(kind: Kind<UnstructuredObject>) {
    return {
      added: (object: DeepReadonly<UnstructuredObject>) => this.#changed(kind, object as AnyObject),
      updated: (_: unknown, object: DeepReadonly<UnstructuredObject>) =>
        this.#changed(kind, object as AnyObject),
      deleted: (object: DeepReadonly<UnstructuredObject>) => this.#deleted(object as AnyObject),
    };
  }

  #eventHandler() {
    const noted = (event: DeepReadonly<UnstructuredObject>) => {
      const state = eventState(event as AnyObject);
      if (this.#isShown(state.regarding)) this.#store.apply({ type: 'event', value: state });
    };
    return {
      added: noted,
      updated: (_: unknown, event: DeepReadonly<UnstructuredObject>) => noted(event),
      deleted: () => {},
    };
  }

  #changed(kind: Kind<UnstructuredObject>, object: AnyObject): void {
    const uid = object.metadata.uid ?? '';
    const known = this.#known.get(uid);
    const changes = known ? [...known.changes, this.#changeOf(known.object, object)].slice(-maxChanges) : [];
    this.#known.set(uid, { kind, object, changes });
    for (const owner of object.metadata.ownerReferences ?? []) {
      const owned = this.#owned.get(owner.uid) ?? new Set();
      this.#owned.set(owner.uid, owned.add(uid));
    }
    if (this.#isShown(uid)) this.#show(uid);
  }

  #changeOf(before: AnyObject, after: AnyObject): ChangeState {
    return {
      at: new Date(this.#clock.epoch()).toISOString(),
      resourceVersion: after.metadata.resourceVersion ?? '',
      ...changedValues(shown(before), shown(after)),
    };
  }

  #deleted({ metadata: { uid = '' } }: KubernetesObject): void {
    const state = this.#store.state.objects[uid];
    this.#known.delete(uid);
    this.#owned.delete(uid);
    if (!state) return;
    this.#store.apply({ type: 'object', value: { ...state, isGone: true } });
    const timer = setTimeout(() => {
      this.#forgetting.delete(timer);
      this.#store.apply({ type: 'forget', value: uid });
    }, goneMs);
    this.#forgetting.add(timer);
  }

  /** Whether an object is a sample or of a root kind, or an object that is shown owns it. */
  #isShown(uid: string, path: readonly string[] = []): boolean {
    const known = this.#known.get(uid);
    if (!known || path.includes(uid)) return false;
    if (this.isRoot(known.kind) || this.#samples.has(uid)) return true;
    const owners = known.object.metadata.ownerReferences ?? [];
    return owners.some((owner) => this.#isShown(owner.uid, [...path, uid]));
  }

  /** Publishes an object, and what it owns if that was not shown before. */
  #show(uid: string): void {
    const isNew = !(uid in this.#store.state.objects);
    this.#publish(uid);
    void this.#columns.of(this.#known.get(uid)!).then(() => this.#publish(uid));
    if (!isNew) return;
    for (const owned of this.#owned.get(uid) ?? []) if (this.#known.has(owned)) this.#show(owned);
  }

  #publish(uid: string): void {
    const known = this.#known.get(uid);
    if (!known) return;
    const value = objectState(known.object, this.#columns.known(uid), known.changes);
    this.#store.apply({ type: 'object', value });
  }
}

function groupKind({ apiVersion, kind }: Pick<KubernetesObject, 'apiVersion' | 'kind'>): string {
  return `${groupOf(apiVersion)} ${kind}`;
}
