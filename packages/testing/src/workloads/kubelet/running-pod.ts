import type { ContainerStatus } from 'ots-kubernetes/core/v1';
import type { DeepReadonly } from 'ots-runtime';
import type { RunningApplication } from '../images/running-application.ts';
import { type CachedPod, isPodTerminal } from '../pods/pod-state.ts';
import { timeText } from '../time-text.ts';
import { type ContainerMemory, ContainerRun } from './container-run.ts';
import type { Kubelet } from './kubelet.ts';
import { type PodView, canRestart, isInitialized, phaseByContainers } from './pod-status.ts';
import type { ProbeState } from './probe-state.ts';

/** What a kubelet knows of a pod. */
export interface RunningPodMemory extends Pick<
  RunningPod,
  'startTime' | 'address' | 'hasSandbox' | 'isEnding' | 'failure' | 'isRejected'
> {
  /** By the names of the containers. */
  readonly containers: ReadonlyMap<string, ContainerMemory>;
}

/** A pod on its node, with its containers. Times are milliseconds since 1970. */
export class RunningPod implements PodView {
  readonly uid: string;
  readonly kubelet: Kubelet;
  /** Asks the worker to look at the pod. */
  readonly wake: () => void;
  readonly startTime: string;
  readonly inits: readonly ContainerRun[];
  readonly regulars: readonly ContainerRun[];
  readonly ephemerals: ContainerRun[] = [];
  pod: CachedPod;
  address: string | undefined;
  hasSandbox = false;
  isEnding = false;
  failure: PodView['failure'];
  /** The node does not run it. */
  isRejected = false;
  readonly #remembered: ReadonlyMap<string, ContainerMemory> | undefined;

  /** @param memory what another kubelet knew of it. Default: what the status says. */
  constructor(pod: CachedPod, kubelet: Kubelet, wake: () => void, memory?: RunningPodMemory) {
    const { spec, status, metadata } = pod;
    this.#remembered = memory?.containers;
    this.pod = pod;
    this.kubelet = kubelet;
    this.wake = wake;
    this.uid = metadata.uid!;
    this.startTime = memory?.startTime ?? status?.startTime ?? timeText(kubelet.clock.epoch());
    const waitingFor = (spec?.initContainers ?? []).length > 0 ? 'PodInitializing' : 'ContainerCreating';
    const runsOf = (list: 'initContainers' | 'containers') =>
      (spec?.[list] ?? []).map((container) => new ContainerRun(container, list, this.uid, waitingFor));
    this.inits = runsOf('initContainers');
    this.regulars = runsOf('containers');
    const known = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
    for (const run of this.runs) this.#continue(run, known);
    if (memory) {
      const { address, hasSandbox, isEnding, failure, isRejected } = memory;
      Object.assign(this, { address, hasSandbox, isEnding, failure, isRejected });
    } else if (status?.podIP && !spec?.hostNetwork && kubelet.addresses.keep(status.podIP))
      this.address = status.podIP;
  }

  get memory(): RunningPodMemory {
    const { startTime, address, hasSandbox, isEnding, failure, isRejected } = this;
    const containers = new Map(this.runs.map((run) => [run.spec.name, run.memory]));
    return { startTime, address, hasSandbox, isEnding, failure, isRejected, containers };
  }

  get now(): number {
    return this.kubelet.clock.epoch();
  }

  /** All containers. */
  get runs(): readonly ContainerRun[] {
    return [...this.inits, ...this.regulars, ...this.ephemerals];
  }

  /** Whether no container runs. */
  get isIdle(): boolean {
    return this.runs.every(({ isRunning }) => !isRunning);
  }

  /** When the pod has used up its time. */
  get deadline(): number {
    const { activeDeadlineSeconds = Infinity } = this.pod.spec ?? {};
    return Date.parse(this.startTime) + activeDeadlineSeconds * 1000;
  }

  /** Whether no container may start any more. */
  get mustEnd(): boolean {
    if (this.failure || this.pod.metadata.deletionTimestamp !== undefined || isPodTerminal(this.pod))
      return true;
    const phase = phaseByContainers(this);
    return phase === 'Succeeded' || phase === 'Failed';
  }

  /** The containers that do not run although it is their turn. */
  get missing(): readonly ContainerRun[] {
    const hasStarted = this.regulars.some((run) => run.isRunning || run.lastEnd);
    const next = hasStarted ? undefined : this.inits.find((run) => !isInitialized(run));
    const done = next ? this.inits.slice(0, this.inits.indexOf(next)) : this.inits;
    const inTurn = [...done.filter(({ isSidecar }) => isSidecar), ...(next ? [next] : this.regulars)];
    const debuggers = this.ephemerals.filter((run) => !run.lastEnd);
    return [...debuggers, ...inTurn].filter(
      (run) => !run.isRunning && (!run.lastEnd || canRestart(run, this.pod, run.lastEnd.exitCode)),
    );
  }

  /** Continues with a newer version of the pod. Containers for debugging come while it runs. */
  update(pod: CachedPod): void {
    this.pod = pod;
    const { spec, status } = pod;
    for (const run of [...this.inits, ...this.regulars]) {
      const container = spec?.[run.list]?.find(({ name }) => name === run.spec.name);
      if (container) run.update(container);
    }
    for (const container of (spec?.ephemeralContainers ?? []).slice(this.ephemerals.length)) {
      const run = new ContainerRun(container, 'ephemeralContainers', this.uid, 'ContainerCreating');
      this.#continue(run, status?.ephemeralContainerStatuses ?? []);
      this.ephemerals.push(run);
    }
  }

  #continue(run: ContainerRun, statuses: readonly DeepReadonly<ContainerStatus>[]): void {
    const { name } = run.spec;
    const memory = this.#remembered?.get(name);
    const status = statuses.find((each) => each.name === name);
    if (memory) run.resume(memory);
    else if (status) run.adopt(status);
  }

  /** Notes what has happened in the containers. */
  observe(): void {
    for (const run of this.runs) if (run.application) this.#observe(run, run.application);
  }

  #observe(run: ContainerRun, application: RunningApplication): void {
    const { now } = this;
    application.expire();
    const crash = this.crashOf(run);
    if (application.exitCode !== undefined) run.end(application.exitCode, now);
    else if (run.killAt !== undefined && now >= run.killAt) run.end(137, now);
    else if (crash && now >= crash.at) run.end(crash.exitCode, now, crash.reason);
    else {
      const has = (kind: ProbeState['kind']) => run.probes.some((probe) => probe.kind === kind);
      run.isStarted ||= !has('Startup');
      run.isReady = run.isStarted && (has('Readiness') ? run.isProbedReady : application.isReady);
    }
  }

  /** When a test lets a container crash, and how. */
  crashOf(run: ContainerRun): { at: number; exitCode: number; reason?: string } | undefined {
    return this.kubelet.failures.crash(this.pod, run.spec.image ?? '', run.startedAt);
  }

  /** Records an event about a container. */
  record(run: ContainerRun, type: 'Normal' | 'Warning', reason: string, message: string): void {
    this.kubelet.events.record(this.pod, type, reason, message, run.fieldPath);
  }
}
