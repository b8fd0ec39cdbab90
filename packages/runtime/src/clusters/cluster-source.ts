import type { Kind } from 'ots-kubernetes';
import { eitherSignal } from 'ots-apimachinery/signals/either-signal';
import type { Cache } from '../cache/cache.ts';
import { currentWork, runInContext } from '../context/work-context.ts';
import type { Request } from '../controller/reconciler.ts';
import type { EnqueueFunction, Source, SourceContext } from '../controller/source.ts';
import type { Member } from './member.ts';

/** Tells when clusters can be worked with. */
export interface Members {
  /** Those whose caches are filled. */
  synced(): readonly Member[];
  /**
   * Calls back for each one whose caches are filled later.
   * @returns a function that ends that.
   */
  onSynced(listener: (member: Member) => void): () => void;
}

/** One source in every cluster. Its requests name the cluster that they come from. */
export class ClusterSource implements Source {
  readonly name: string;
  readonly kind: Kind;
  readonly #members: Members;
  readonly #make: (cache: Cache) => Source;
  /** With the names of their clusters. */
  readonly #running = new Map<Source, string>();
  /** How many have not delivered their existing objects yet. */
  #starting = 0;

  constructor(kind: Kind, members: Members, make: (cache: Cache) => Source) {
    this.name = kind.kind;
    this.kind = kind;
    this.#members = members;
    this.#make = make;
  }

  isMapping(): boolean {
    return this.#starting > 0 || [...this.#running.keys()].some((source) => source.isMapping?.() ?? false);
  }

  get isPrimary(): boolean {
    return [...this.#running.keys()].some((source) => source.isPrimary ?? false);
  }

  requeue(isWanted: (request: Request) => boolean): void {
    for (const [source, cluster] of this.#running) {
      source.requeue?.((request) => isWanted({ ...request, cluster }));
    }
  }

  /** Waits for no cluster: one that does not respond must not keep the others waiting. */
  async start(context: SourceContext): Promise<void> {
    const work = currentWork() ?? {};
    const launch = (member: Member): void => runInContext(work, () => void this.#launch(member, context));
    const end = this.#members.onSynced(launch);
    context.signal.addEventListener('abort', end, { once: true });
    for (const member of this.#members.synced()) launch(member);
  }

  async #launch(member: Member, context: SourceContext): Promise<void> {
    const { name, left, access } = member;
    const { signal, dispose } = eitherSignal(context.signal, left);
    const source = this.#make(access.cache);
    const logger = context.logger.child({ cluster: name });
    const end = (): void => {
      this.#running.delete(source);
      dispose();
    };
    signal.addEventListener('abort', end, { once: true });
    this.#running.set(source, name);
    this.#starting += 1;
    try {
      if (signal.aborted) return end();
      await source.start({ ...context, signal, logger, enqueue: inCluster(name, context.enqueue) });
    } catch (error) {
      if (!signal.aborted) logger.error({ err: error }, 'watch in the cluster did not start');
    } finally {
      this.#starting -= 1;
    }
  }
}

/** A map function may name another cluster, or the manager's own with an empty name. */
function inCluster(cluster: string, enqueue: EnqueueFunction): EnqueueFunction {
  return (request, options = {}) => {
    const { cause } = options;
    const named = request.cluster === undefined ? { ...request, cluster } : request;
    enqueue(named, cause && 'object' in cause ? { ...options, cause: { ...cause, cluster } } : options);
  };
}
