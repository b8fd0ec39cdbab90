import type { HPAScalingPolicy, HPAScalingRules } from 'ots-kubernetes/autoscaling/v2';
import type { DeepReadonly } from 'ots-runtime';

type Rules = DeepReadonly<HPAScalingRules>;

/** As in Kubernetes: for how long a recommendation keeps an autoscaler without behavior from scaling down further. */
export const downscaleStabilizationMs = 300_000;

interface Sample {
  readonly replicas: number;
  /** In milliseconds of the clock. */
  readonly at: number;
}

/** What an autoscaler has recommended and done lately. */
export class ScalingHistory {
  #recommendations: Sample[];
  #increases: Sample[] = [];
  #decreases: Sample[] = [];

  /** @param replicas what the target has first @param now in milliseconds of the clock */
  constructor(replicas: number, now: number) {
    this.#recommendations = [{ replicas, at: now }];
  }

  /** Adds a recommendation. @returns the one to follow: the highest of the last time */
  recommend(replicas: number, now: number): number {
    const recent = this.#recommendations.filter(({ at }) => at > now - downscaleStabilizationMs);
    this.#recommendations = [...recent, { replicas, at: now }];
    return Math.max(...this.#recommendations.map((sample) => sample.replicas));
  }

  /**
   * Adds a recommendation.
   *
   * @param windows for how long recommendations keep the target from growing and shrinking, in milliseconds
   * @returns the one to follow: the nearest to the current number of replicas
   */
  recommendWithin(
    windows: { up: number; down: number },
    { desired, current, now }: { desired: number; current: number; now: number },
  ): number {
    const within = (window: number): number[] =>
      this.#recommendations.filter(({ at }) => at > now - window).map(({ replicas }) => replicas);
    const lowest = Math.min(desired, ...within(windows.up));
    const highest = Math.max(desired, ...within(windows.down));
    const longest = Math.max(windows.up, windows.down);
    this.#recommendations = this.#recommendations.filter(({ at }) => at > now - longest);
    this.#recommendations.push({ replicas: desired, at: now });
    return Math.min(Math.max(current, lowest), highest);
  }

  /** Remembers a change of the number of replicas. @param longest the longest period of a policy in milliseconds */
  changed(from: number, to: number, { longest, now }: { longest: number; now: number }): void {
    const recent = (samples: readonly Sample[]): Sample[] => samples.filter(({ at }) => at > now - longest);
    const sample = { replicas: Math.abs(to - from), at: now };
    if (to > from) this.#increases = [...recent(this.#increases), sample];
    else this.#decreases = [...recent(this.#decreases), sample];
  }

  /** The number of replicas up to which rules allow to grow now. */
  maxReplicas(current: number, rules: Rules, now: number): number {
    return this.#limit(current, rules, { now, limitOf: grown, most: Math.max, least: Math.min });
  }

  /** The number of replicas down to which rules allow to shrink now. */
  minReplicas(current: number, rules: Rules, now: number): number {
    return this.#limit(current, rules, { now, limitOf: shrunk, most: Math.min, least: Math.max });
  }

  #limit(
    current: number,
    { selectPolicy, policies = [] }: Rules,
    {
      now,
      limitOf,
      most,
      least,
    }: {
      now: number;
      limitOf: (start: number, policy: DeepReadonly<HPAScalingPolicy>) => number;
      most: (...values: number[]) => number;
      least: (...values: number[]) => number;
    },
  ): number {
    if (selectPolicy === 'Disabled') return current;
    const limits = policies.map((policy) => {
      const since = now - policy.periodSeconds * 1000;
      const start = current - total(this.#increases, since) + total(this.#decreases, since);
      return limitOf(start, policy);
    });
    return selectPolicy === 'Min' ? least(...limits) : most(...limits);
  }
}

function grown(start: number, { type, value }: DeepReadonly<HPAScalingPolicy>): number {
  return type === 'Pods' ? start + value : Math.ceil(start * (1 + value / 100));
}

function shrunk(start: number, { type, value }: DeepReadonly<HPAScalingPolicy>): number {
  return type === 'Pods' ? start - value : Math.trunc(start * (1 - value / 100));
}

function total(samples: readonly Sample[], since: number): number {
  return samples.filter(({ at }) => at > since).reduce((sum, { replicas }) => sum + replicas, 0);
}
