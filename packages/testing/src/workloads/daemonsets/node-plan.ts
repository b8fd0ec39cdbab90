import { type CachedPod, isPodAvailable, isPodReady } from '../pods/pod-state.ts';
import { type CachedDaemonSet, hashLabel } from './daemon-pod.ts';
import { scaledValue } from '../deployments/limits.ts';
import type { NodePlacement } from './node-placement.ts';

/** The pods of a DaemonSet that are to be deleted, and the nodes where it needs one. */
export interface DaemonPlan {
  readonly nodes: string[];
  readonly pods: CachedPod[];
}

/** What a plan for a node depends on. */
export interface NodeFacts {
  readonly set: CachedDaemonSet;
  readonly hash: string;
  readonly placement: NodePlacement;
  /** Those on the node, also the terminating ones. */
  readonly pods: readonly CachedPod[];
  /** In milliseconds since 1970. */
  readonly now: number;
  /** Decides whether a pod that has ended is deleted. */
  readonly mayReplace: (pod: CachedPod) => boolean;
}

/** Plans one node: at most one pod of the set runs there, or two while a new one replaces an old one. */
export function planNode(node: string, facts: NodeFacts): DaemonPlan {
  const { set, placement, pods } = facts;
  if (placement.starts && pods.length === 0) return { nodes: [node], pods: [] };
  const staying = pods.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  if (!placement.stays) return { nodes: [], pods: staying };
  const ended = staying.filter(({ status }) => status?.phase === 'Failed' || status?.phase === 'Succeeded');
  const running = staying.filter((pod) => !ended.includes(pod)).toSorted(scheduledAndOldestFirst);
  const excess = allowsSurge(set) ? excessOfSurge(running, facts) : running.slice(1);
  return {
    nodes: allowsSurge(set) && running.length === 0 && placement.starts ? [node] : [],
    pods: [...ended.filter(facts.mayReplace), ...excess],
  };
}

/** Whether an update may start pods before it deletes the old ones. */
function allowsSurge({ spec: { updateStrategy } }: CachedDaemonSet): boolean {
  if (updateStrategy?.type !== 'RollingUpdate') return false;
  return scaledValue(updateStrategy.rollingUpdate?.maxSurge ?? 0, 1, Math.ceil) > 0;
}

/** Pods with a node before others, then the oldest first. */
export function scheduledAndOldestFirst(a: CachedPod, b: CachedPod): number {
  return (
    Number(Boolean(b.spec?.nodeName)) - Number(Boolean(a.spec?.nodeName)) ||
    Date.parse(a.metadata.creationTimestamp ?? '') - Date.parse(b.metadata.creationTimestamp ?? '') ||
    (a.metadata.name! < b.metadata.name! ? -1 : 1)
  );
}

/** An old pod stays beside a new one as long as it is ready and the new one is not available. */
function excessOfSurge(running: readonly CachedPod[], { set, hash, now }: NodeFacts): CachedPod[] {
  const isNew = ({ metadata }: CachedPod) => metadata.labels?.[hashLabel] === hash;
  const newest = running.find(isNew);
  const oldest = running.find((pod) => !isNew(pod));
  const excess = running.filter((pod) => pod !== newest && pod !== oldest);
  if (!newest || !oldest) return excess;
  const isReplaced = !isPodReady(oldest) || isPodAvailable(newest, set.spec.minReadySeconds ?? 0, now);
  return isReplaced ? [...excess, oldest] : excess;
}
