import { Node } from 'ots-kubernetes/core/v1';
import type { Cache, Client, Reconciler, Request } from 'ots-runtime';
import type { NodeTaints } from './node-taints.ts';

/** The labels of kubelets, and those that older clients know. */
const olderLabels = {
  'kubernetes.io/os': 'beta.kubernetes.io/os',
  'kubernetes.io/arch': 'beta.kubernetes.io/arch',
};

/** Keeps the taints of a node equal to its conditions, and its labels complete. */
export class NodeMetadataReconciler implements Reconciler {
  readonly #cache: Cache;
  readonly #client: Client;
  readonly #taints: NodeTaints;

  constructor(cache: Cache, client: Client, taints: NodeTaints) {
    this.#cache = cache;
    this.#client = client;
    this.#taints = taints;
  }

  async reconcile({ name }: Request): Promise<void> {
    const node = this.#cache.get(Node, { name });
    if (!node) return;
    await this.#taints.adapt(node);
    await this.#completeLabels(name, node.metadata.labels);
  }

  async #completeLabels(name: string, labels: Readonly<Record<string, string>> = {}): Promise<void> {
    const missing = Object.entries(olderLabels).flatMap(([label, older]) => {
      const value = labels[label];
      return value !== undefined && labels[older] !== value ? [[older, value]] : [];
    });
    if (missing.length === 0) return;
    await this.#client.patch(Node, { name }, { metadata: { labels: Object.fromEntries(missing) } });
  }
}
