import type { Probe } from 'ots-kubernetes/core/v1';
import type { DeepReadonly } from 'ots-runtime';
import type { ContainerSpec } from './container-run.ts';

export type ProbeKind = 'Startup' | 'Readiness' | 'Liveness';

/** A probe of a container that runs. Times are milliseconds since 1970. */
export class ProbeState {
  readonly kind: ProbeKind;
  readonly probe: DeepReadonly<Probe>;
  dueAt: number;
  #lastResult: boolean | undefined;
  /** How often the last result has come in a row. */
  #count = 0;

  constructor(kind: ProbeKind, probe: DeepReadonly<Probe>, startedAt: number) {
    this.kind = kind;
    this.probe = probe;
    this.dueAt = startedAt + (probe.initialDelaySeconds ?? 0) * 1000;
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
  return kinds.flatMap(([kind, probe]) => (probe ? [new ProbeState(kind, probe, startedAt)] : []));
}
