import { HorizontalPodAutoscaler } from 'ots-kubernetes/autoscaling/v2';
import { type Cache, type Source, type SourceContext, keyOf } from 'ots-runtime';

/** As in Kubernetes: how often an autoscaler is evaluated, and how long after its creation it is for the first time. */
export const syncPeriod = 15_000;

/** Queues each autoscaler once, one period after it was created. Changes wait for the next period. */
export class AutoscalerSource implements Source {
  readonly name = 'HorizontalPodAutoscaler';
  readonly #cache: Cache;

  constructor(cache: Cache) {
    this.#cache = cache;
    cache.add(HorizontalPodAutoscaler);
  }

  /** For the controller. */
  async start({ enqueue, signal }: SourceContext): Promise<void> {
    const registration = this.#cache.informer(HorizontalPodAutoscaler).addHandler({
      added: (autoscaler) => enqueue(keyOf(autoscaler), { after: syncPeriod }),
      updated: () => {},
      deleted: () => {},
    });
    signal.addEventListener('abort', () => registration[Symbol.dispose](), { once: true });
    await registration.synced;
  }
}
