import { createHash } from 'node:crypto';
import type {
  Container,
  ContainerState,
  ContainerStateTerminated,
  ContainerStatus,
} from 'ots-kubernetes/core/v1';
import type { DeepReadonly } from 'ots-runtime';
import { fullImage, imageId } from '../images/image-patterns.ts';
import type { RunningApplication } from '../images/running-application.ts';
import { timeText } from '../time-text.ts';
import { BackOff, type BackOffMemory } from './back-off.ts';
import type { MountedFiles } from './configuration/mounted-files.ts';
import type { VolumeFiles } from './configuration/volumes.ts';
import { type ProbeMemory, ProbeState, probesOf } from './probe-state.ts';
import { ContainerLog } from '../images/container-log.ts';

export type ContainerSpec = DeepReadonly<Container>;

/** Where a container is listed in the spec of its pod. */
export type ContainerList = 'initContainers' | 'containers' | 'ephemeralContainers';

/** What a kubelet knows of a container. */
export interface ContainerMemory extends Pick<
  ContainerRun,
  | 'state'
  | 'lastState'
  | 'restartCount'
  | 'isStarted'
  | 'isReady'
  | 'isProbedReady'
  | 'isRunning'
  | 'environment'
  | 'mustRestart'
  | 'failedPull'
  | 'retryAt'
  | 'killAt'
> {
  readonly probes: readonly ProbeMemory[];
  readonly pulls: BackOffMemory;
  readonly crashes: BackOffMemory;
  readonly containerId: string | undefined;
  readonly startedWith: ContainerSpec | undefined;
  readonly startedAt: number;
  readonly finishedAt: number;
  /** The volumes at its start; undefined if it does not run. */
  readonly volumes: ReadonlyMap<string, VolumeFiles> | undefined;
}

/** A container of a pod on its node, with all its restarts. Times are milliseconds since 1970. */
export class ContainerRun {
  /** As the pod has it now. */
  spec: ContainerSpec;
  readonly list: ContainerList;
  state: ContainerState;
  lastState: ContainerState = {};
  restartCount = 0;
  isStarted = false;
  isReady = false;
  /** What the readiness probe says. */
  isProbedReady = false;
  /** Set while it runs. */
  application: RunningApplication | undefined;
  /** What the current run sees of its volumes. */
  files: MountedFiles | undefined;
  /** The variables of the current run. */
  environment: ReadonlyMap<string, string> = new Map();
  /** Those of the current run. */
  probes: readonly ProbeState[] = [];
  /** A probe has failed: it starts again, however it ends. */
  mustRestart = false;
  /** Delays pulls of the image. */
  pulls = new BackOff();
  /** How the last pull failed, and when. */
  failedPull: { readonly at: number; readonly error: string } | undefined;
  /** Delays restarts. */
  crashes = new BackOff();
  /** When to try again to start it. */
  retryAt = 0;
  /** When it is killed because it has not ended after it was asked to. */
  killAt: number | undefined;
  readonly #podUid: string;
  /** Of the last two runs, by the IDs of their containers. */
  readonly #logs = new Map<string, ContainerLog>();
  #containerId: string | undefined;
  /** With what it was started last. */
  #startedWith: ContainerSpec | undefined;
  #startedAt = 0;
  #finishedAt = 0;

  constructor(spec: ContainerSpec, list: ContainerList, podUid: string, waitingFor: string) {
    this.spec = spec;
    this.list = list;
    this.#podUid = podUid;
    this.state = { waiting: { reason: waitingFor } };
  }

  /** A sidecar starts like an init container and runs as long as the pod. */
  get isSidecar(): boolean {
    return this.list === 'initContainers' && this.spec.restartPolicy === 'Always';
  }

  /** Whether it must end before the next container starts. */
  get completes(): boolean {
    return this.list === 'initContainers' && !this.isSidecar;
  }

  get isRunning(): boolean {
    return this.application !== undefined;
  }

  /** How it ended last. */
  get lastEnd(): ContainerStateTerminated | undefined {
    return this.isRunning ? undefined : (this.state.terminated ?? this.lastState.terminated);
  }

  /** When it started last; 0 if it never did. */
  get startedAt(): number {
    return this.#startedAt;
  }

  /** When it ended last; 0 if it never did. */
  get finishedAt(): number {
    return this.#finishedAt;
  }

  /** The part of the pod that events are about. */
  get fieldPath(): string {
    return `spec.${this.list}{${this.spec.name}}`;
  }

  /** Says why it does not start. */
  wait(reason: string, message: string): void {
    if (this.state.terminated) this.lastState = this.state;
    this.state = { waiting: { reason, message } };
  }

  /** Continues with a newer version of the container. The delays before a pull or a start are over for a new image. */
  update(spec: ContainerSpec): void {
    const isNewImage = spec.image !== this.spec.image;
    this.spec = spec;
    if (!isNewImage) return;
    this.pulls = new BackOff();
    this.crashes = new BackOff();
    this.failedPull = undefined;
    this.retryAt = 0;
  }

  /** Whether it runs an image that the pod does not have any more. */
  get isOutdated(): boolean {
    return this.isRunning && this.#startedWith?.image !== this.spec.image;
  }

  /** Starts a container. @param start starts the application with its log */
  run(start: (log: ContainerLog) => RunningApplication, now: number): void {
    const { lastEnd } = this;
    if (lastEnd) this.lastState = { terminated: lastEnd };
    if (this.#containerId !== undefined) this.restartCount += 1;
    this.#containerId = `ots://${digest(`${this.#podUid}/${this.spec.name}/${this.restartCount}`)}`;
    this.state = { running: { startedAt: timeText(now) } };
    this.#startedAt = now;
    this.#startedWith = this.spec;
    this.probes = probesOf(this.spec, now);
    this.mustRestart = false;
    const log = new ContainerLog();
    this.#logs.set(this.#containerId, log);
    for (const old of [...this.#logs.keys()].slice(0, -2)) this.#logs.delete(old);
    this.application = start(log);
  }

  /** What another kubelet needs to {@link resume} it. */
  get memory(): ContainerMemory {
    return {
      state: this.state,
      lastState: this.lastState,
      restartCount: this.restartCount,
      isStarted: this.isStarted,
      isReady: this.isReady,
      isProbedReady: this.isProbedReady,
      isRunning: this.isRunning,
      environment: this.environment,
      volumes: this.isRunning ? this.files?.atStart : undefined,
      probes: this.probes.map(({ memory }) => memory),
      mustRestart: this.mustRestart,
      pulls: this.pulls.memory,
      failedPull: this.failedPull,
      crashes: this.crashes.memory,
      retryAt: this.retryAt,
      killAt: this.killAt,
      containerId: this.#containerId,
      startedWith: this.#startedWith,
      startedAt: this.#startedAt,
      finishedAt: this.#finishedAt,
    };
  }

  /** Continues what another kubelet has remembered. */
  resume(memory: ContainerMemory): void {
    this.state = memory.state;
    this.lastState = memory.lastState;
    this.restartCount = memory.restartCount;
    this.isStarted = memory.isStarted;
    this.isReady = memory.isReady;
    this.isProbedReady = memory.isProbedReady;
    this.environment = memory.environment;
    this.probes = memory.probes.map((probe) => new ProbeState(probe));
    this.mustRestart = memory.mustRestart;
    this.pulls = new BackOff(memory.pulls);
    this.failedPull = memory.failedPull;
    this.crashes = new BackOff(memory.crashes);
    this.retryAt = memory.retryAt;
    this.killAt = memory.killAt;
    this.#containerId = memory.containerId;
    this.#startedWith = memory.startedWith;
    this.#startedAt = memory.startedAt;
    this.#finishedAt = memory.finishedAt;
  }

  /** Starts the application of a container that runs and was resumed. @param start starts it with its log */
  restartApplication(start: (log: ContainerLog) => RunningApplication): void {
    const log = new ContainerLog();
    this.#logs.set(this.#containerId!, log);
    this.application = start(log);
  }

  /** The log of a run; empty for one that another kubelet has started. */
  logOf(containerId: string): ContainerLog {
    const log = this.#logs.get(containerId) ?? new ContainerLog();
    if (!this.#logs.has(containerId)) log.end();
    return log;
  }

  /** @param reason as in the status, such as `OOMKilled`. Default: `Completed` or `Error` by the exit code */
  end(exitCode: number, now: number, reason = exitCode === 0 ? 'Completed' : 'Error'): void {
    const { startedAt } = this.state.running ?? {};
    this.application?.end();
    this.application = undefined;
    this.#logs.get(this.#containerId ?? '')?.end();
    this.isReady = false;
    this.isStarted = false;
    this.isProbedReady = false;
    this.killAt = undefined;
    // A restart because of a probe does not wait for this end, but for the one before.
    if (!this.mustRestart) this.#finishedAt = now;
    this.state = {
      terminated: {
        exitCode,
        reason,
        ...(startedAt !== undefined && { startedAt }),
        finishedAt: timeText(now),
        containerID: this.#containerId!,
      },
    };
  }

  /** Continues what the status of the pod says: this kubelet did not start the container, so a running one is lost. */
  adopt(status: DeepReadonly<ContainerStatus>): void {
    const {
      state = {},
      lastState = {},
      restartCount,
      containerID,
    } = structuredClone(status) as ContainerStatus;
    this.restartCount = restartCount;
    this.#containerId = containerID;
    if (state.waiting) this.lastState = lastState;
    else if (state.terminated) Object.assign(this, { state, lastState });
    else if (state.running)
      this.lastState = {
        terminated: {
          exitCode: 137,
          reason: 'ContainerStatusUnknown',
          message:
            'The container could not be located when the pod was deleted.  The container used to be Running',
        },
      };
  }

  /** An init container is ready when it is complete, and one for debugging never. */
  get #countsAsReady(): boolean {
    if (this.completes) return this.state.terminated?.exitCode === 0;
    return this.list !== 'ephemeralContainers' && this.isReady;
  }

  /** The entry in the status of the pod. */
  get status(): ContainerStatus {
    const { spec, state, lastState, restartCount, isStarted } = this;
    const { volumeMounts = [], resources = {}, image = '' } = this.#startedWith ?? spec;
    const containerID = this.#containerId;
    return {
      name: spec.name,
      state,
      lastState,
      ready: this.#countsAsReady,
      restartCount,
      ...(containerID === undefined
        ? { image, imageID: '' }
        : { image: fullImage(image), imageID: imageId(image), containerID, resources: copyOf(resources) }),
      ...(this.list !== 'ephemeralContainers' && { started: isStarted }),
      ...(containerID !== undefined &&
        resources.requests && { allocatedResources: { ...resources.requests } }),
      ...(volumeMounts.length > 0 && {
        volumeMounts: volumeMounts.map(({ name, mountPath, readOnly }) => ({
          name,
          mountPath,
          ...(readOnly && { readOnly, recursiveReadOnly: 'Disabled' }),
        })),
      }),
    };
  }
}

function copyOf(resources: ContainerSpec['resources']): NonNullable<Container['resources']> {
  if (!resources || Object.keys(resources).length === 0) return {};
  return structuredClone(resources) as NonNullable<Container['resources']>;
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
