import type { Kind, KubernetesObject } from 'ots-kubernetes';
import type { Clock } from '../clock/clock.ts';
import { withDeadline } from '../clock/with-deadline.ts';
import { errorMessage } from '../errors/error-message.ts';
import type { Logger } from '../logging/logger.ts';
import type { DeepReadonly } from '../objects/deep-readonly.ts';
import type { ObjectKey } from '../objects/object-key.ts';
import type { Transport } from '../transport/transport.ts';
import { CacheSyncError } from './cache-sync-error.ts';
import { Informer } from './informer.ts';
import { KindNotCachedError } from './kind-not-cached-error.ts';

export interface CacheOptions {
  transport: Transport;
  /** The namespaces to watch; all when undefined. */
  namespaces: readonly string[] | undefined;
  clock: Clock;
  logger: Logger;
}

/** Long enough for a large cluster, short enough to notice that a CRD or a role is missing. */
const syncTimeout = 120_000;

/**
 * The objects of the kinds that controllers watch, in memory. Strict: reading a kind that nobody watches is an error,
 * never the silent start of a watch on the whole cluster.
 *
 * What it returns is shared by all readers and read-only; copy it (`structuredClone`) to change it. It trails the
 * server by the time that an event takes.
 */
export class Cache {
  readonly #options: CacheOptions;
  readonly #informers = new Map<string, Informer<KubernetesObject>>();
  readonly #running: Promise<void>[] = [];
  #signal: AbortSignal | undefined;

  constructor(options: CacheOptions) {
    this.#options = options;
  }

  /**
   * The object, or undefined when there is none of this name in the watched namespaces.
   * @throws {KindNotCachedError} when no controller watches the kind.
   * @throws {CacheSyncError} before the manager has started.
   */
  get<T extends KubernetesObject>(kind: Kind<T>, key: ObjectKey): DeepReadonly<T> | undefined {
    return this.#synced(kind).get(key);
  }

  /**
   * The objects of the kind, in no particular order.
   * @throws {KindNotCachedError} when no controller watches the kind.
   * @throws {CacheSyncError} before the manager has started.
   */
  list<T extends KubernetesObject>(kind: Kind<T>, options: { namespace?: string } = {}): DeepReadonly<T>[] {
    const all = [...this.#synced(kind).values()];
    const { namespace } = options;
    return namespace === undefined ? all : all.filter(({ metadata }) => metadata.namespace === namespace);
  }

  /** The informer of the kind: made when it is first asked for, started with the cache. */
  informer<T extends KubernetesObject>(kind: Kind<T>): Informer<T> {
    const key = informerKey(kind);
    const existing = this.#informers.get(key);
    if (existing) return existing as unknown as Informer<T>;
    const informer = new Informer<T>({ ...this.#options, kind });
    this.#informers.set(key, informer);
    if (this.#signal) this.#running.push(informer.run(this.#signal));
    return informer;
  }

  /** Starts every informer. They run until the signal aborts; `stopped` waits for that. */
  start(signal: AbortSignal): void {
    this.#signal = signal;
    for (const informer of this.#informers.values()) this.#running.push(informer.run(signal));
  }

  /** Resolves when every informer has stopped. */
  async stopped(): Promise<void> {
    await Promise.all(this.#running);
  }

  /**
   * Resolves when every informer has its objects and its handlers have seen them.
   * @throws {CacheSyncError} when that takes more than two minutes.
   */
  async synced(signal: AbortSignal): Promise<void> {
    await withDeadline(
      this.#options.clock,
      syncTimeout,
      signal,
      () => this.#syncError(),
      (deadline) =>
        new Promise<void>((resolve, reject) => {
          deadline.addEventListener('abort', () => reject(deadline.reason), { once: true });
          void Promise.all([...this.#informers.values()].map((informer) => informer.synced)).then(() =>
            resolve(),
          );
        }),
    );
  }

  /** Which kinds are not in the cache yet, and why. Empty when it is complete. */
  missing(): string[] {
    return [...this.#informers.values()]
      .filter((informer) => !informer.isSynced)
      .map(({ kind, lastError }) => {
        const name = `${kind.kind}.${kind.apiVersion}`;
        return lastError === undefined ? name : `${name} (${errorMessage(lastError)})`;
      });
  }

  #synced<T extends KubernetesObject>(kind: Kind<T>): Informer<T> {
    const informer = this.#informers.get(informerKey(kind));
    if (!informer) throw new KindNotCachedError(kind);
    if (!informer.isSynced) {
      throw new CacheSyncError(
        `the cache of ${kind.kind} is not filled yet`,
        'Read it from a reconciler, or after manager.ready; manager.client works at any time.',
      );
    }
    return informer as unknown as Informer<T>;
  }

  #syncError(): CacheSyncError {
    return new CacheSyncError(
      `the cache did not fill within ${syncTimeout / 1000} s: ${this.missing().join(', ')}`,
      'Install the CRDs, and grant list and watch on these kinds to the operator.',
    );
  }
}

function informerKey({ apiVersion, kind }: Kind): string {
  return `${apiVersion}/${kind}`;
}
