import type { Cache } from 'ots-runtime';
import type { CachedPod } from '../pods/pod-state.ts';
import { type Disruption, isDisrupted } from '../pods/with-disruption.ts';
import { violatingPods } from './budgets.ts';
import type { PodClaims } from './claims.ts';
import type { ClusterState, NodeView, PlacedPod } from './cluster-state.ts';
import { type Rejection, resolvable, unresolvable } from './filter.ts';
import { fitError } from './fit-error.ts';
import { filterOf } from './placement.ts';
import { addResources } from './pod-requests.ts';

/** Pods that make room for one with a higher priority. */
export interface Preemption {
  readonly view: NodeView;
  readonly victims: readonly CachedPod[];
  /** How many of them PodDisruptionBudgets protect. */
  readonly violations: number;
}

/** Why no pod makes room. */
export interface NoPreemption {
  /** In the words of kube-scheduler. */
  readonly problem: string;
  /** Whether pods would make room for this one if that helped. */
  readonly isEligible: boolean;
}

/** Why a victim ends. */
export const preempted: Disruption = {
  reason: 'PreemptionByScheduler',
  message: 'default-scheduler: preempting to accommodate a higher priority pod',
};

const notHelpful = unresolvable('Preemption is not helpful for scheduling');
const noVictims = resolvable('No preemption victims found for incoming pod');

/**
 * Finds the node where the least important pods make room, and the fewest against PodDisruptionBudgets.
 *
 * @returns why no pod makes room, if so
 */
export function findPreemption(
  pod: CachedPod,
  rejections: ReadonlyMap<NodeView, Rejection>,
  scheduling: { state: ClusterState; cache: Cache; claims: PodClaims },
): Preemption | NoPreemption {
  if (pod.spec?.preemptionPolicy === 'Never') return notEligible('preemptionPolicy=Never');
  if (isRoomBeingMade(pod, rejections)) return notEligible('a terminating pod on the nominated node');
  const candidates: Preemption[] = [];
  const failures: Rejection[] = [];
  for (const [view, { isResolvable }] of rejections) {
    const found = isResolvable ? victimsOn(view, pod, scheduling) : notHelpful;
    if ('victims' in found) candidates.push(found);
    else failures.push(found);
  }
  if (candidates.length > 0) return candidates.reduce(lessHarmful);
  return { problem: fitError(failures), isEligible: true };
}

function notEligible(cause: string): NoPreemption {
  return { problem: `not eligible due to ${cause}.`, isEligible: false };
}

/** Whether pods already end on the node that a pod is to get. */
function isRoomBeingMade(pod: CachedPod, rejections: ReadonlyMap<NodeView, Rejection>): boolean {
  const name = pod.status?.nominatedNodeName;
  const nominated = [...rejections].find(([{ node }]) => node.metadata.name === name);
  if (!nominated?.[1].isResolvable) return false;
  return [...nominated[0].pods.values()].some(
    ({ pod: placed }) =>
      placed.metadata.deletionTimestamp !== undefined &&
      priorityOf(placed) < priorityOf(pod) &&
      isDisrupted(placed, preempted),
  );
}

function victimsOn(
  view: NodeView,
  pod: CachedPod,
  scheduling: { state: ClusterState; cache: Cache; claims: PodClaims },
): Preemption | Rejection {
  const lower = [...view.pods.values()].filter((placed) => priorityOf(placed.pod) < priorityOf(pod));
  if (lower.length === 0) return noVictims;
  const without = (removed: ReadonlySet<PlacedPod>): Rejection | undefined => {
    const remaining = viewWithout(view, removed);
    const nodes = scheduling.state.nodes.map((each) => (each === view ? remaining : each));
    return filterOf(pod, nodes, scheduling)(remaining);
  };
  const removed = new Set(lower);
  const rejection = without(removed);
  if (rejection) return rejection;
  // As many as possible stay: those that budgets protect first, then the most important.
  const ordered = lower.toSorted(moreImportant);
  const violating = violatingPods(ordered, scheduling.cache);
  for (const placed of [...violating, ...ordered.filter((each) => !violating.has(each))]) {
    removed.delete(placed);
    if (without(removed)) removed.add(placed);
  }
  const victims = ordered.filter((placed) => removed.has(placed));
  const violations = victims.filter((placed) => violating.has(placed)).length;
  return { view, victims: victims.map((placed) => placed.pod), violations };
}

function viewWithout(view: NodeView, removed: ReadonlySet<PlacedPod>): NodeView {
  const pods = new Map([...view.pods].filter(([, placed]) => !removed.has(placed)));
  const requested = new Map(view.requested);
  for (const placed of removed) addResources(requested, placed.requests, -1);
  return { ...view, pods, requested };
}

export function priorityOf({ spec }: CachedPod): number {
  return spec?.priority ?? 0;
}

/** By priority, then by how long they have run. */
function moreImportant({ pod: a }: PlacedPod, { pod: b }: PlacedPod): number {
  const [startOfA, startOfB] = [startOf(a), startOf(b)];
  return priorityOf(b) - priorityOf(a) || (startOfA < startOfB ? -1 : startOfA > startOfB ? 1 : 0);
}

/** When a pod started, in milliseconds since 1970; infinite if it has not. */
function startOf({ status }: CachedPod): number {
  return status?.startTime === undefined ? Infinity : Date.parse(status.startTime);
}

/** What makes each victim count in the sum of priorities, also one with a negative priority. */
const priorityOffset = 2 ** 31;

/**
 * The one with fewer violations, whose most important victim is less important, with the lower sum of priorities, with fewer victims,
 * whose most important victims have started later, in this order; the first of equal ones.
 */
function lessHarmful(a: Preemption, b: Preemption): Preemption {
  const [harmOfA, harmOfB] = [harmOf(a), harmOf(b)];
  const index = harmOfA.findIndex((value, i) => value !== harmOfB[i]);
  return index === -1 || harmOfA[index]! < harmOfB[index]! ? a : b;
}

function harmOf({ victims, violations }: Preemption): number[] {
  const highest = Math.max(...victims.map(priorityOf));
  const sum = victims.reduce((total, pod) => total + priorityOf(pod) + priorityOffset, 0);
  const starts = victims.filter((pod) => priorityOf(pod) === highest).map(startOf);
  return [violations, highest, sum, victims.length, -Math.min(...starts)];
}
