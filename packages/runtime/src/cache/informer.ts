import type { Kind, KubernetesObject } from 'ots-kubernetes';
import type { Clock } from '../clock/clock.ts';
import { errorMessage } from '../errors/error-message.ts';
import type { Logger } from '../logging/logger.ts';
import { deepFreeze } from '../objects/deep-freeze.ts';
import type { DeepReadonly } from '../objects/deep-readonly.ts';
import type { ObjectKey } from '../objects/object-key.ts';
import { keyText } from '../objects/object-key.ts';
import type { Transport } from '../transport/transport.ts';
import { ListWatcher } from './list-watcher.ts';
import { type Change, ObjectStore } from './object-store.ts';
import { Reflector, type ReflectorSink } from './reflector.ts';

/**
 * Told of what happens to the objects of a kind, after the cache knows it. Handlers run one after another and must
 * not block; what they throw is logged. A deletion may be reported with the last state that was seen.
 */
export interface InformerHandler<T extends KubernetesObject> {
  added(object: DeepReadonly<T>): void;
  updated(oldObject: DeepReadonly<T>, object: DeepReadonly<T>): void;
  deleted(object: DeepReadonly<T>): void;
}

export interface InformerOptions<T extends KubernetesObject> {
  transport: Transport;
  kind: Kind<T>;
  /** Undefined for all namespaces; ignored for cluster-scoped kinds. */
  namespaces: readonly string[] | undefined;
  clock: Clock;
  logger: Logger;
}

interface Part<T extends KubernetesObject> {
  store: ObjectStore<T>;
  reflector: Reflector<T>;
  synced: boolean;
}

/** Freezing costs time in proportion to the objects, and finds mistakes that tests find as well. */
const freeze = process.env['NODE_ENV'] === 'production' ? <T>(value: T): T => value : deepFreeze;

/** Keeps the objects of one kind in memory and tells handlers of changes. One for all controllers of a manager. */
export class Informer<T extends KubernetesObject> {
  readonly kind: Kind<T>;
  /** Resolves when every namespace has been listed and the handlers have seen what was there. */
  readonly synced: Promise<void>;
  readonly #logger: Logger;
  readonly #parts: Part<T>[];
  readonly #handlers: InformerHandler<T>[] = [];
  #markSynced!: () => void;

  constructor(options: InformerOptions<T>) {
    this.kind = options.kind;
    this.#logger = options.logger;
    this.synced = new Promise((resolve) => {
      this.#markSynced = resolve;
    });
    const namespaces = options.kind.scope === 'Namespaced' ? options.namespaces : undefined;
    this.#parts = (namespaces ?? [undefined]).map((namespace) => this.#part(options, namespace));
  }

  get isSynced(): boolean {
    return this.#parts.every((part) => part.synced);
  }

  /** Why a list or watch of the kind is failing right now; undefined while all is well. */
  get lastError(): unknown {
    return this.#parts.map((part) => part.reflector.lastError).find((error) => error !== undefined);
  }

  /** A handler that comes late is told of the objects that are there as added. */
  addHandler(handler: InformerHandler<T>): void {
    this.#handlers.push(handler);
    for (const object of this.values()) this.#notify(handler, { type: 'added', object: object as T });
  }

  get(key: ObjectKey): DeepReadonly<T> | undefined {
    const text = keyText(key);
    for (const { store } of this.#parts) {
      const object = store.get(text);
      if (object) return object as DeepReadonly<T>;
    }
    return undefined;
  }

  *values(): Generator<DeepReadonly<T>> {
    for (const { store } of this.#parts) yield* store.values() as Iterable<DeepReadonly<T>>;
  }

  /** Runs until the signal aborts. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    await Promise.all(this.#parts.map(({ reflector }) => reflector.run(signal)));
  }

  #part({ transport, kind, clock, logger }: InformerOptions<T>, namespace: string | undefined): Part<T> {
    const store = new ObjectStore<T>();
    const sink: ReflectorSink<T> = {
      replaced: (objects) => {
        this.#apply(store.replace(objects.map((object) => freeze(object))));
        part.synced = true;
        if (this.isSynced) this.#markSynced();
      },
      changed: (type, object) => {
        this.#apply(type === 'DELETED' ? store.delete(freeze(object)) : store.upsert(freeze(object)));
      },
    };
    const source = new ListWatcher(transport, kind, namespace);
    const part: Part<T> = {
      store,
      reflector: new Reflector({ source, sink, clock, logger }),
      synced: false,
    };
    return part;
  }

  #apply(changes: Change<T>[]): void {
    for (const change of changes) {
      for (const handler of this.#handlers) this.#notify(handler, change);
    }
  }

  #notify(handler: InformerHandler<T>, change: Change<T>): void {
    const object = change.object as DeepReadonly<T>;
    try {
      if (change.type === 'added') handler.added(object);
      else if (change.type === 'deleted') handler.deleted(object);
      else handler.updated(change.oldObject as DeepReadonly<T>, object);
    } catch (error) {
      this.#logger.error(
        { err: error, kind: this.kind.kind, reason: errorMessage(error) },
        'an event handler failed',
      );
    }
  }
}
