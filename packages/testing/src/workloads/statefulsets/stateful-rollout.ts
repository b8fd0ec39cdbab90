import type { Clock } from 'ots-apimachinery/clock/clock';
import { type CachedPod, isPodAvailable, isPodTerminal } from '../pods/pod-state.ts';
import { slowStart } from '../pods/slow-start.ts';
import type { CachedRevision } from '../revisions/revision-history.ts';
import { type CachedSet, firstOrdinal, isInRange, ordinalOf, revisionOf } from './identity.ts';
import { type ReplicaCounts, countReplicas, isCreated, isHealthy } from './replica-counts.ts';
import type { StatefulPodControl } from './stateful-pod-control.ts';
import { statefulPod } from './stateful-pod.ts';

/** The templates of a set's pods: before and after an update. */
export interface SetRevisions {
  readonly current: CachedRevision;
  readonly update: CachedRevision;
}

/** What a step of a rollout has reached. */
interface Progress {
  readonly counts: ReplicaCounts;
  /** Why the rest was not tried. */
  readonly failure?: unknown;
}

/** One reconcile of a StatefulSet: creates, repairs and deletes pods, in the order that the set asks for. */
export class StatefulRollout {
  readonly #set: CachedSet;
  readonly #revisions: SetRevisions;
  readonly #control: StatefulPodControl;
  readonly #now: number;
  /** One per ordinal; those that the server does not have are planned. */
  readonly #replicas: CachedPod[];
  /** Beyond the ordinals of the set, the last first. */
  readonly #condemned: CachedPod[];
  readonly #pods: readonly CachedPod[];

  constructor(
    set: CachedSet,
    pods: readonly CachedPod[],
    revisions: SetRevisions,
    { control, clock }: { control: StatefulPodControl; clock: Clock },
  ) {
    this.#set = set;
    this.#pods = pods;
    this.#revisions = revisions;
    this.#control = control;
    this.#now = clock.epoch();
    const byOrdinal = new Map(pods.map((pod) => [ordinalOf(set, pod)!, pod]));
    const first = firstOrdinal(set);
    this.#replicas = Array.from(
      { length: set.spec.replicas ?? 1 },
      (_, index) => byOrdinal.get(first + index) ?? this.#planned(first + index),
    );
    this.#condemned = [...byOrdinal]
      .filter(([ordinal]) => !isInRange(set, ordinal))
      .toSorted(([a], [b]) => b - a)
      .map(([, pod]) => pod);
  }

  /** Does what is possible now. */
  async advance(): Promise<Progress> {
    const { metadata, spec } = this.#set;
    if (metadata.deletionTimestamp !== undefined) return { counts: this.#count(this.#pods) };
    let isBlocked = true;
    try {
      isBlocked =
        (await this.#each(this.#replicas, (pod) => this.#process(pod))) ||
        (await this.#each(this.#condemned, (pod) => this.#retainClaims(pod))) ||
        (await this.#each(this.#condemned, (pod) => this.#condemn(pod)));
    } catch (failure) {
      return { counts: this.#countAll(), failure };
    }
    const counts = this.#countAll();
    if (isBlocked || spec.updateStrategy?.type === 'OnDelete') return { counts };
    try {
      if (await this.#replaceNext()) counts.currentReplicas -= 1;
      return { counts };
    } catch (failure) {
      return { counts, failure };
    }
  }

  get #isOrdered(): boolean {
    return this.#set.spec.podManagementPolicy !== 'Parallel';
  }

  /** @returns whether an ordered set must wait before it continues */
  async #each(pods: readonly CachedPod[], act: (pod: CachedPod) => Promise<boolean>): Promise<boolean> {
    if (!this.#isOrdered) {
      await slowStart(pods.length, (index) => act(pods[index]!));
      return false;
    }
    for (const pod of pods) if (await act(pod)) return true;
    return false;
  }

  /** Brings the pod of an ordinal to life. @returns whether later ones must wait */
  async #process(pod: CachedPod): Promise<boolean> {
    const isTerminating = pod.metadata.deletionTimestamp !== undefined;
    if (isPodTerminal(pod)) {
      if (!isTerminating) await this.#control.delete(this.#set, pod);
      return true;
    }
    if (!isCreated(pod)) {
      await this.#control.create(this.#set, pod);
      return true;
    }
    if (pod.status?.phase === 'Pending') await this.#control.createClaims(this.#set, pod);
    if (this.#isOrdered && (isTerminating || !isHealthy(pod) || !this.#isAvailable(pod))) return true;
    await this.#control.repair(this.#set, pod);
    return false;
  }

  async #retainClaims(pod: CachedPod): Promise<boolean> {
    await this.#control.retainClaims(this.#set, pod);
    return false;
  }

  /** Deletes a pod that the set does not ask for. @returns whether others must wait */
  async #condemn(pod: CachedPod): Promise<boolean> {
    if (pod.metadata.deletionTimestamp !== undefined) return true;
    const isRunning = isHealthy(pod) && this.#isAvailable(pod);
    const mayStop = !this.#isOrdered || isRunning || pod === this.#firstUnavailable();
    if (mayStop) await this.#control.delete(this.#set, pod);
    return true;
  }

  /** Replaces the last pod of another revision when all behind it are available. @returns whether it deleted one */
  async #replaceNext(): Promise<boolean> {
    const partition = this.#set.spec.updateStrategy?.rollingUpdate?.partition ?? 0;
    for (const pod of this.#replicas.slice(partition).toReversed()) {
      const isTerminating = pod.metadata.deletionTimestamp !== undefined;
      if (revisionOf(pod) !== this.#revisions.update.metadata.name && !isTerminating) {
        await this.#control.delete(this.#set, pod);
        return true;
      }
      if (isTerminating || !this.#isAvailable(pod)) return false;
    }
    return false;
  }

  /** Ordinals below the partition keep their revision; without a partition, those that are not updated yet. */
  #planned(ordinal: number): CachedPod {
    const { spec, status } = this.#set;
    const { type, rollingUpdate } = spec.updateStrategy ?? {};
    const kept = rollingUpdate ? (rollingUpdate.partition ?? 0) : (status?.currentReplicas ?? 0);
    const isKept = type === 'RollingUpdate' && ordinal < firstOrdinal(this.#set) + kept;
    return statefulPod(this.#set, isKept ? this.#revisions.current : this.#revisions.update, ordinal);
  }

  #firstUnavailable(): CachedPod | undefined {
    const inOrder = [...this.#replicas, ...this.#condemned.toReversed()];
    return inOrder.find((pod) => pod.metadata.deletionTimestamp !== undefined || !this.#isAvailable(pod));
  }

  #isAvailable(pod: CachedPod): boolean {
    return isPodAvailable(pod, this.#set.spec.minReadySeconds ?? 0, this.#now);
  }

  #countAll(): ReplicaCounts {
    return this.#count([...this.#replicas, ...this.#condemned]);
  }

  #count(pods: readonly CachedPod[]): ReplicaCounts {
    const { current, update } = this.#revisions;
    return countReplicas(pods, {
      current: current.metadata.name!,
      update: update.metadata.name!,
      minReadySeconds: this.#set.spec.minReadySeconds ?? 0,
      now: this.#now,
    });
  }
}
