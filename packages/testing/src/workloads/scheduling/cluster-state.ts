import { Namespace, Node, Pod, type PodAffinityTerm } from 'ots-kubernetes/core/v1';
import type { Cache, DeepReadonly } from 'ots-runtime';
import type { CachedNode } from '../nodes/cached-node.ts';
import type { CachedPod } from '../pods/pod-state.ts';
import { type Resources, addResources, podRequests, resourcesOf } from './pod-requests.ts';

/** A pod that has a node, or gets one. */
export interface PlacedPod {
  readonly pod: CachedPod;
  readonly requests: Resources;
  /** What it requires that other pods are not near. */
  readonly refuses: readonly DeepReadonly<PodAffinityTerm>[];
}

/** A node as the scheduler sees it. */
export interface NodeView {
  readonly node: CachedNode;
  readonly labels: Readonly<Record<string, string>>;
  readonly allocatable: Resources;
  readonly requested: Map<string, number>;
  /** By their uids. */
  readonly pods: Map<string, PlacedPod>;
}

/**
 * What the nodes are used for. It follows the cache, and has a pod from the moment when the scheduler decides, before the server
 * shows its node.
 */
export class ClusterState {
  readonly #cache: Cache;
  readonly #placed = new Map<string, { node: string; placed: PlacedPod }>();
  /** Pods by the names of their nodes; a node may be missing. */
  readonly #byNode = new Map<string, NodeUse>();
  /** Pods for which others make room, by their uids. */
  readonly #nominated = new Map<string, { node: string; placed: PlacedPod }>();
  #views: NodeView[] | undefined;

  constructor(cache: Cache) {
    this.#cache = cache;
  }

  /** Follows the cache. To be called once, when it knows the kinds. */
  follow(): void {
    this.#cache.informer(Pod).addHandler({
      added: (pod) => this.#set(pod),
      updated: (_old, pod) => this.#set(pod),
      deleted: (pod) => this.remove(pod),
    });
    const forget = (): void => {
      this.#views = undefined;
    };
    this.#cache.informer(Node).addHandler({ added: forget, updated: forget, deleted: forget });
  }

  /** The nodes in the order of their names. */
  get nodes(): readonly NodeView[] {
    this.#views ??= this.#cache
      .list(Node)
      .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
      .toSorted((a, b) => (a.metadata.name! < b.metadata.name! ? -1 : 1))
      .map((node) => {
        const { pods, requested } = this.#useOf(node.metadata.name!);
        const { labels = {} } = node.metadata;
        const allocatable = resourcesOf(node.status?.allocatable ?? {});
        return { node, labels, allocatable, requested, pods };
      });
    return this.#views;
  }

  /** The labels of a namespace. */
  labelsOfNamespace(name: string): Readonly<Record<string, string>> {
    return this.#cache.get(Namespace, { name })?.metadata.labels ?? {};
  }

  /** A node with the pods for which others make room there, unless they are less important than a pod. @returns undefined without such pods */
  withNominated(view: NodeView, { metadata, spec }: CachedPod): NodeView | undefined {
    const name = view.node.metadata.name!;
    const added = [...this.#nominated].filter(
      ([uid, { node, placed }]) =>
        node === name && uid !== metadata.uid && (placed.pod.spec?.priority ?? 0) >= (spec?.priority ?? 0),
    );
    if (added.length === 0) return undefined;
    const requested = new Map(view.requested);
    for (const [, { placed }] of added) addResources(requested, placed.requests);
    const pods = new Map([...view.pods, ...added.map(([uid, { placed }]) => [uid, placed] as const)]);
    return { ...view, pods, requested };
  }

  /** The pods for which others make room on a node, and that are less important than a pod. */
  nominatedBelow({ node: { metadata } }: NodeView, { spec }: CachedPod): CachedPod[] {
    return [...this.#nominated.values()]
      .filter(({ node, placed }) => node === metadata.name && priorityBelow(placed.pod, spec?.priority))
      .map(({ placed }) => placed.pod);
  }

  /** Takes a decision into account before the server has it. */
  place(pod: CachedPod, node: string): void {
    this.remove(pod);
    const placed = placedPod(pod);
    const uid = pod.metadata.uid!;
    const use = this.#useOf(node);
    use.pods.set(uid, placed);
    addResources(use.requested, placed.requests);
    this.#placed.set(uid, { node, placed });
  }

  /** Forgets a pod. */
  remove({ metadata: { uid = '' } }: CachedPod): void {
    this.#nominated.delete(uid);
    const known = this.#placed.get(uid);
    if (!known) return;
    this.#placed.delete(uid);
    const use = this.#useOf(known.node);
    use.pods.delete(uid);
    addResources(use.requested, known.placed.requests, -1);
  }

  #set(pod: CachedPod): void {
    const { nodeName } = pod.spec ?? {};
    const { phase, nominatedNodeName } = pod.status ?? {};
    if (!nodeName) {
      if (this.#placed.has(pod.metadata.uid!)) return;
      if (nominatedNodeName) this.#nominate(pod, nominatedNodeName);
      else this.#nominated.delete(pod.metadata.uid!);
      return;
    }
    if (phase === 'Succeeded' || phase === 'Failed') this.remove(pod);
    else this.place(pod, nodeName);
  }

  #nominate(pod: CachedPod, node: string): void {
    this.#nominated.set(pod.metadata.uid!, { node, placed: placedPod(pod) });
  }

  #useOf(name: string): NodeUse {
    const known = this.#byNode.get(name);
    if (known) return known;
    const use: NodeUse = { requested: new Map(), pods: new Map() };
    this.#byNode.set(name, use);
    return use;
  }
}

/** A pod with what the scheduler has to know of it. */
export function placedPod(pod: CachedPod): PlacedPod {
  const refuses = pod.spec?.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
  return { pod, requests: podRequests(pod), refuses };
}

function priorityBelow({ spec }: CachedPod, priority = 0): boolean {
  return (spec?.priority ?? 0) < priority;
}

type NodeUse = Pick<NodeView, 'requested' | 'pods'>;
