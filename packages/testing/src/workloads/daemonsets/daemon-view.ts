import { groupBy } from 'ots-apimachinery/group-by';
import type { CachedNode } from '../nodes/cached-node.ts';
import { type CachedPod, isPodTerminal } from '../pods/pod-state.ts';
import { type CachedDaemonSet, targetNode } from './daemon-pod.ts';
import { type NodePlacement, nodePlacement } from './node-placement.ts';

/** A node with the pods of a DaemonSet. */
export interface DaemonNode {
  readonly placement: NodePlacement;
  readonly pods: readonly CachedPod[];
}

/** A DaemonSet, its pods and all nodes, in the order of their names. */
export class DaemonView {
  readonly set: CachedDaemonSet;
  readonly nodes: ReadonlyMap<string, DaemonNode>;
  /** Pods of nodes that do not exist and that no garbage collector of pods deletes. */
  readonly lost: readonly CachedPod[];
  /** Pods on nodes that do not exist. */
  readonly strays: ReadonlyMap<string, readonly CachedPod[]>;

  /** @param pods those that the set has claimed */
  constructor(set: CachedDaemonSet, nodes: readonly CachedNode[], pods: readonly CachedPod[]) {
    this.set = set;
    const living = pods.filter((pod) => !isPodTerminal(pod) || pod.metadata.deletionTimestamp === undefined);
    const byNode = groupBy(living, (pod) => targetNode(pod) ?? '');
    byNode.delete('');
    const names = nodes
      .map((node): [string, CachedNode] => [node.metadata.name!, node])
      .toSorted(([a], [b]) => (a < b ? -1 : 1));
    this.nodes = new Map(
      names.map(([name, node]) => [
        name,
        { placement: nodePlacement(set, node), pods: byNode.get(name) ?? [] },
      ]),
    );
    this.strays = new Map([...byNode].filter(([name]) => !this.nodes.has(name)));
    this.lost = [...this.strays.values()].flat().filter(({ spec }) => !spec?.nodeName);
  }

  /** On how many nodes a pod may start. */
  get desired(): number {
    return [...this.nodes.values()].filter(({ placement }) => placement.starts).length;
  }
}
