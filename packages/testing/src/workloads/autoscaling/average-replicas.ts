import { type CachedPod, readyCondition } from '../pods/pod-state.ts';
import type { Readings } from './metrics-client.ts';
import { type Tolerances, isWithin } from './tolerances.ts';

/** What pods have in relation to what they should have. */
interface Measurement {
  /** Of the usage to the target. */
  readonly ratio: number;
  /** The average per pod in thousandths. */
  readonly usage: number;
  /** In percent of what the pods request, if that is what counts. */
  readonly utilization?: number;
}

/** How many replicas a metric asks for. */
export interface Proposal extends Partial<Measurement> {
  readonly replicas: number;
  /** In thousandths. */
  readonly usage: number;
}

/** How readings are judged. */
export interface Measure {
  measurementOf(readings: Readings): Measurement;
  /** What a pod without a reading is assumed to have when there seem to be too many pods. In thousandths. */
  assumed(pod: string): number;
}

/** What a proposal depends on. */
export interface Load {
  readonly pods: readonly CachedPod[];
  readonly readings: Readings;
  readonly currentReplicas: number;
  readonly tolerances: Tolerances;
  /** Pods that start need CPU that says nothing about their load. */
  readonly isCpu: boolean;
  /** In milliseconds since 1970. */
  readonly now: number;
}

/** As in Kubernetes: for how long after its start the CPU of a pod only counts if it is ready. */
const cpuInitializationMs = 300_000;
/** As in Kubernetes: a pod that became unready earlier than this after its start was never ready. */
const initialReadinessMs = 30_000;

/**
 * How many replicas bring the average of a metric to its target. Pods without readings and pods that start are counted in the direction
 * that scales less.
 *
 * @param measure made only when there are readings
 * @throws {Error} if there are no pods or no readings
 */
export function averageReplicas(load: Load, measure: () => Measure): Proposal {
  const { pods, currentReplicas, tolerances } = load;
  if (pods.length === 0) throw new Error('no pods returned by selector while calculating replica count');
  const { readyCount, unready, missing, ignored } = groupsOf(load);
  const readings = new Map(load.readings);
  for (const name of [...ignored, ...unready]) readings.delete(name);
  if (readings.size === 0)
    throw new Error('did not receive metrics for targeted pods (pods might be unready)');
  const judge = measure();
  const first = judge.measurementOf(readings);
  const isGrowing = first.ratio > 1;
  const countsUnready = unready.length > 0 && isGrowing;
  const propose = (replicas: number): Proposal => ({ ...first, replicas });
  if (!countsUnready && missing.length === 0)
    return propose(isWithin(first.ratio, tolerances) ? currentReplicas : Math.ceil(first.ratio * readyCount));
  if (first.ratio !== 1) for (const name of missing) readings.set(name, isGrowing ? 0 : judge.assumed(name));
  if (countsUnready) for (const name of unready) readings.set(name, 0);
  const { ratio } = judge.measurementOf(readings);
  const isReversed = (first.ratio < 1 && ratio > 1) || (isGrowing && ratio < 1);
  if (isWithin(ratio, tolerances) || isReversed) return propose(currentReplicas);
  const replicas = Math.ceil(ratio * readings.size);
  const isContrary = (ratio < 1 && replicas > currentReplicas) || (ratio > 1 && replicas < currentReplicas);
  return propose(isContrary ? currentReplicas : replicas);
}

interface Groups {
  readonly readyCount: number;
  readonly unready: readonly string[];
  readonly missing: readonly string[];
  readonly ignored: readonly string[];
}

function groupsOf(load: Load): Groups {
  const groups = { ready: [], unready: [], missing: [], ignored: [] } as Record<Group, string[]>;
  for (const pod of load.pods) groups[groupOf(pod, load)].push(pod.metadata.name!);
  return { ...groups, readyCount: groups.ready.length };
}

type Group = 'ready' | 'unready' | 'missing' | 'ignored';

function groupOf(pod: CachedPod, { readings, isCpu, now }: Load): Group {
  const phase = pod.status?.phase;
  if (pod.metadata.deletionTimestamp !== undefined || phase === 'Failed') return 'ignored';
  if (phase === 'Pending') return 'unready';
  if (!readings.has(pod.metadata.name!)) return 'missing';
  return isCpu && isStarting(pod, now) ? 'unready' : 'ready';
}

function isStarting(pod: CachedPod, now: number): boolean {
  const ready = readyCondition(pod);
  const startTime = pod.status?.startTime;
  if (!ready || startTime === undefined) return true;
  const startedAt = Date.parse(startTime);
  const isUnready = ready.status === 'False';
  if (startedAt + cpuInitializationMs > now) return isUnready;
  return isUnready && startedAt + initialReadinessMs > Date.parse(ready.lastTransitionTime ?? '');
}
