import type { ObjectMeta } from 'ots-kubernetes';
import { Pod } from 'ots-kubernetes/core/v1';
import { type DeepReadonly, isConflict, isNotFound, keyOf } from 'ots-runtime';
import type { Duplex } from 'node:stream';
import type { RunningApplication } from '../images/running-application.ts';
import type { Destination } from '../network/cluster-network.ts';
import { type CachedPod, isPodTerminal } from '../pods/pod-state.ts';
import type { VolumeKind } from './configuration/volumes.ts';
import type { ContainerRun } from './container-run.ts';
import type { VolumesMemory } from './configuration/pod-volumes.ts';
import { ContainerStarter } from './container-starter.ts';
import type { Kubelet } from './kubelet.ts';
import { nextDue } from './next-due.ts';
import type { Refusal } from './pod-admission.ts';
import { probeContainer } from './pod-probes.ts';
import { reportedStatus } from './reported-status.ts';
import { RunningPod, type RunningPodMemory } from './running-pod.ts';
import { type StatusMemory, StatusWriter } from './status-writer.ts';
import { killContainers, killOutdated, stopContainers } from './stop-containers.ts';

const deadlineMessage = 'Pod was active on the node longer than the specified deadline';

/** What a kubelet knows of a pod, beside its objects. */
export interface PodMemory {
  readonly running: RunningPodMemory;
  readonly volumes: VolumesMemory;
  readonly status: StatusMemory;
}

/** Runs one pod on its node, from its first container to its deletion. */
export class PodWorker implements Destination {
  readonly uid: string;
  /** Asks for a call of {@link sync}. */
  readonly wake: () => void;
  readonly #kubelet: Kubelet;
  readonly #running: RunningPod;
  readonly #starter: ContainerStarter;
  readonly #writer: StatusWriter;

  /** @param memory that of a worker in another cluster, which this one continues. Default: none. */
  constructor(pod: CachedPod, kubelet: Kubelet, wake: () => void, memory?: PodMemory) {
    this.uid = pod.metadata.uid!;
    this.wake = wake;
    this.#kubelet = kubelet;
    this.#running = new RunningPod(pod, kubelet, wake, memory?.running);
    this.#starter = new ContainerStarter(this.#running, memory?.volumes);
    this.#writer = new StatusWriter(kubelet.client, memory?.status);
    if (memory) this.#starter.resume(memory.running);
  }

  get memory(): PodMemory {
    return {
      running: this.#running.memory,
      volumes: this.#starter.memory,
      status: this.#writer.memory,
    };
  }

  /** Does what is due and writes the status. @returns when to call it again, in milliseconds since 1970 */
  async sync(pod: CachedPod): Promise<number | undefined> {
    const running = this.#running;
    running.update(pod);
    running.observe();
    for (const run of running.runs) await probeContainer(run, running);
    running.observe();
    this.#checkLimits();
    running.isEnding ||= running.mustEnd;
    if (!running.isEnding) {
      killOutdated(running);
      running.observe();
      // The server does not let a container that has ended for good run again: it must not see the end.
      if (running.regulars.every(({ mustRestart }) => !mustRestart)) await this.#report();
      await this.#starter.refresh();
      await this.#starter.start();
    } else stopContainers(running);
    await this.#report();
    const isOver = running.isEnding && running.isIdle;
    if (isOver) this.#kubelet.admission.release(this.uid);
    if (isOver && pod.metadata.deletionTimestamp !== undefined) await this.#delete();
    return isOver ? undefined : nextDue(running, this.#starter.dueTimes);
  }

  /** Lets the pod fail without a container. */
  reject({ reason, message }: Refusal): void {
    this.#running.isRejected = true;
    this.#running.failure = { reason, message: `Pod was rejected: ${message}` };
    this.#kubelet.events.record(this.#running.pod, 'Warning', reason, message);
  }

  /** Whether a pod is as this worker has left it. Readiness gates are conditions that others write. */
  isInSync(pod: CachedPod): boolean {
    const { generation, deletionTimestamp } = this.#running.pod.metadata;
    return (
      pod.metadata.generation === generation &&
      pod.metadata.deletionTimestamp === deletionTimestamp &&
      pod.spec?.readinessGates === undefined &&
      this.#writer.isUnchanged(pod)
    );
  }

  /** A container of the pod; undefined if it has none with that name. */
  container(name: string): ContainerRun | undefined {
    return this.#running.runs.find(({ spec }) => spec.name === name);
  }

  get name(): string {
    return this.#running.pod.metadata.name ?? '';
  }

  get namespace(): string {
    return this.#running.pod.metadata.namespace ?? '';
  }

  /** The node of the pod. */
  get node(): string {
    return this.#running.pod.spec?.nodeName ?? '';
  }

  /** The address of the pod, once it has one. */
  get address(): string | undefined {
    return this.#running.address;
  }

  listensOn(port: number): boolean {
    return this.#listenerOf(port) !== undefined;
  }

  connect(port: number): Duplex {
    const listener = this.#listenerOf(port);
    if (!listener) throw new Error('connection refused');
    return listener.connect(port);
  }

  /** The application that listens on a port: one that says so, or one of a container that names the port, or no ports. */
  #listenerOf(port: number): RunningApplication | undefined {
    const { runs } = this.#running;
    const speaking = runs.find(({ application }) => application?.servesTcp(port));
    const answering = runs.filter(({ application }) => application?.servesHttp);
    const named = answering.find(({ spec }) =>
      spec.ports?.some(({ containerPort }) => containerPort === port),
    );
    return (speaking ?? named ?? answering.find(({ spec }) => !spec.ports))?.application;
  }

  /** A ConfigMap or Secret has changed. */
  noteChange(kind: VolumeKind, { name = '', namespace }: DeepReadonly<ObjectMeta>): void {
    if (namespace === this.#running.pod.metadata.namespace) this.#starter.noteChange(kind, name);
  }

  /** Ends what runs of a pod that is gone from the server. */
  remove(): void {
    killContainers(this.#running);
    const { address } = this.#running;
    if (address !== undefined) this.#kubelet.addresses.release(address);
    this.#kubelet.admission.release(this.uid);
  }

  /** Ends a pod that has used up its time, or that a test evicts. */
  #checkLimits(): void {
    const running = this.#running;
    const { pod, now, deadline } = running;
    const { failures, events } = this.#kubelet;
    if (running.failure || isPodTerminal(pod)) return;
    const message = failures.eviction(pod);
    if (message !== undefined) {
      running.failure = { reason: 'Evicted', message };
      events.record(pod, 'Warning', 'Evicted', message);
    } else if (now >= deadline) {
      running.failure = { reason: 'DeadlineExceeded', message: deadlineMessage };
      events.record(pod, 'Normal', 'DeadlineExceeded', deadlineMessage);
    }
  }

  async #report(): Promise<void> {
    await this.#writer.write(this.#running.pod, reportedStatus(this.#running, this.#writer.conditions));
  }

  async #delete(): Promise<void> {
    try {
      await this.#kubelet.client.delete(Pod, keyOf(this.#running.pod), {
        gracePeriodSeconds: 0,
        preconditions: { uid: this.uid },
      });
    } catch (error) {
      if (!isNotFound(error) && !isConflict(error)) throw error;
    }
  }
}
