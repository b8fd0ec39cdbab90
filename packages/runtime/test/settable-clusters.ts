import type {
  ClusterProvider,
  ClusterProviderContext,
  ClusterSet,
} from '../src/clusters/cluster-provider.ts';

/** A provider whose clusters a test sets. */
export class SettableClusters implements ClusterProvider {
  #current: ClusterSet;
  #wake: () => void = () => {};
  #isNew = true;

  constructor(set: ClusterSet = {}) {
    this.#current = set;
  }

  set(set: ClusterSet): void {
    this.#current = set;
    this.#isNew = true;
    this.#wake();
  }

  async *clusters({ signal }: ClusterProviderContext): AsyncGenerator<ClusterSet, void> {
    signal.addEventListener('abort', () => this.#wake(), { once: true });
    while (!signal.aborted) {
      if (this.#isNew) {
        this.#isNew = false;
        const current = this.#current;
        yield current;
      } else {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    }
  }
}
