import { scaledValue } from '../deployments/limits.ts';
import { type CachedPod, isPodAvailable } from '../pods/pod-state.ts';
import { isUpdated } from './daemon-pod.ts';
import type { DaemonNode, DaemonView } from './daemon-view.ts';
import type { DaemonPlan } from './node-plan.ts';

/** The pods of a node by their template; undefined if one has several: then the excess is deleted first. */
interface Generations {
  readonly fresh: CachedPod | undefined;
  readonly old: CachedPod | undefined;
}

/** Which pods of old templates are deleted now, and which nodes get a new one beside the old one. */
export class RollingUpdate {
  readonly #view: DaemonView;
  readonly #hash: string;
  readonly #now: number;
  readonly #deleted: CachedPod[] = [];

  constructor(view: DaemonView, hash: string, now: number) {
    this.#view = view;
    this.#hash = hash;
    this.#now = now;
  }

  plan(): DaemonPlan {
    const { updateStrategy } = this.#view.set.spec;
    const { desired } = this.#view;
    const { maxSurge = 0, maxUnavailable = 1 } = updateStrategy?.rollingUpdate ?? {};
    const surge = scaledValue(maxSurge, desired, Math.ceil);
    const unavailable = scaledValue(maxUnavailable, desired, Math.ceil);
    if (surge > 0) return this.#surge(surge);
    return this.#replace(desired > 0 && unavailable === 0 ? 1 : unavailable);
  }

  /** Deletes old pods first: those that are unavailable at once, others within a limit. */
  #replace(maxUnavailable: number): DaemonPlan {
    let unavailable = 0;
    const candidates: CachedPod[] = [];
    for (const [, { pods }] of this.#daemonNodes()) {
      const found = this.#generations(pods);
      if (!found || Boolean(found.fresh) === Boolean(found.old)) unavailable++;
      else if (found.fresh) unavailable += this.#isAvailable(found.fresh) ? 0 : 1;
      else if (!this.#isAvailable(found.old!)) {
        this.#deleted.push(found.old!);
        unavailable++;
      } else candidates.push(found.old!);
    }
    const allowed = candidates.slice(0, Math.max(0, maxUnavailable - unavailable));
    return { nodes: [], pods: [...this.#deleted, ...allowed] };
  }

  /** Starts new pods beside old ones: where those are unavailable at once, elsewhere within a limit. */
  #surge(maxSurge: number): DaemonPlan {
    let surging = 0;
    let available = 0;
    const allowed: string[] = [];
    const candidates: string[] = [];
    const misplaced: CachedPod[] = [];
    for (const [name, { pods, placement }] of this.#daemonNodes()) {
      const found = this.#generations(pods);
      if (!found) {
        surging++;
        continue;
      }
      const { fresh, old } = found;
      const counted = old ?? fresh;
      if (counted && this.#isAvailable(counted)) available++;
      if (!old) continue;
      if (fresh) {
        if (this.#isAvailable(fresh)) this.#deleted.push(old);
        else surging++;
      } else if (!this.#isAvailable(old)) {
        if (placement.starts) allowed.push(name);
        else this.#deleted.push(old);
      } else if (!placement.starts) misplaced.push(old);
      else candidates.push(name);
    }
    const removable = Math.max(0, available - this.#view.desired);
    return {
      nodes: [...allowed, ...candidates.slice(0, Math.max(0, maxSurge - surging))],
      pods: [...this.#deleted, ...misplaced.slice(0, removable)],
    };
  }

  /** Those that have a pod or should have one. */
  #daemonNodes(): [string, DaemonNode][] {
    const { nodes, strays } = this.#view;
    const gone = [...strays].map(([name, pods]): [string, DaemonNode] => [
      name,
      { placement: { starts: false, stays: false }, pods },
    ]);
    return [...nodes, ...gone].filter(([, { placement, pods }]) => placement.starts || pods.length > 0);
  }

  #generations(pods: readonly CachedPod[]): Generations | undefined {
    const staying = pods.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
    const fresh = staying.filter((pod) => isUpdated(pod, this.#view.set, this.#hash));
    const old = staying.filter((pod) => !fresh.includes(pod));
    return fresh.length > 1 || old.length > 1 ? undefined : { fresh: fresh[0], old: old[0] };
  }

  #isAvailable(pod: CachedPod): boolean {
    return isPodAvailable(pod, this.#view.set.spec.minReadySeconds ?? 0, this.#now);
  }
}
