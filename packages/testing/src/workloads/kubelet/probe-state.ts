import type { Probe } from 'ots-kubernetes/core/v1';
import type { DeepReadonly } from 'ots-runtime';
import type { ContainerSpec } from './container-run.ts';

export type ProbeKind = 'Startup' | 'Readiness' | 'Liveness';

/** The results of a probe so far. */
export interface ProbeMemory {
  readonly kind: ProbeKind;
  readonly probe: DeepReadonly<Probe>;
  readonly dueAt: number;
  readonly lastResult: boolean | undefined;
  readonly count: number;
}

/** A probe of a container that runs. Times are milliseconds since 1970. */
export class ProbeState {
  readonly kind: ProbeKind;
  readonly probe: DeepReadonly<Probe>;
  dueAt: number;
  #lastResult: boolean | undefined;
  /** How often the last result has come in a row. */
  #count: number;

  constructor({ kind, probe, dueAt, lastResult, count }: ProbeMemory) {
    this.kind = kind;
    this.probe = probe;
    this.dueAt = dueAt;
    this.#lastResult = lastResult;
    this.#count = count;
  }

  get memory(): ProbeMemory {
    const { kind, probe, dueAt } = this;
    return { kind, probe, dueAt, lastResult: this.#lastResult, count: this.#count };
  }

  /** Counts a result. @returns it if it has come often enough to count */
  judge(result: boolean): boolean | undefined {
    this.#count = this.#lastResult === result ? this.#count + 1 : 1;
    this.#lastResult = result;
    const { successThreshold = 1, failureThreshold = 3 } = this.probe;
    return this.#count >= (result ? successThreshold : failureThreshold) ? result : undefined;
  }
}

/** The probes of a container that starts. */
export function probesOf(
  { startupProbe, readinessProbe, livenessProbe }: ContainerSpec,
  startedAt: number,
): ProbeState[] {
  const kinds = [
    ['Startup', startupProbe],
    ['Readiness', readinessProbe],
    ['Liveness', livenessProbe],
  ] as const;
  return kinds.flatMap(([kind, probe]) => {
    if (!probe) return [];
    const dueAt = startedAt + (probe.initialDelaySeconds ?? 0) * 1000;
    return [new ProbeState({ kind, probe, dueAt, lastResult: undefined, count: 0 })];
  });
}
