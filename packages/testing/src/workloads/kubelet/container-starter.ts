import type { CachedPod } from '../pods/pod-state.ts';
import type { ApplicationBehavior } from '../images/application.ts';
import type { ContainerLog } from '../images/container-log.ts';
import { RunningApplication } from '../images/running-application.ts';
import { ConfigurationError } from './configuration/configuration-error.ts';
import type { PodFacts } from './configuration/downward-values.ts';
import { environmentOf } from './configuration/environment.ts';
import { expand } from './configuration/expand.ts';
import { KeyValues } from './configuration/key-values.ts';
import { PodVolumes, type VolumesMemory } from './configuration/pod-volumes.ts';
import { MountedFiles } from './configuration/mounted-files.ts';
import { type VolumeFiles, type VolumeKind, mountsObject } from './configuration/volumes.ts';
import { serviceVariables } from './configuration/service-variables.ts';
import type { ContainerMemory, ContainerRun } from './container-run.ts';
import { type Pull, ensureImage } from './ensure-image.ts';
import { runHook } from './hooks.ts';
import { requestToken } from './request-token.ts';
import { syncRetryMs } from './sync-retry.ts';
import type { RunningPod, RunningPodMemory } from './running-pod.ts';
import { askToEnd, terminate } from './stop-containers.ts';

/** What an application of a container finds when it starts. */
interface Surroundings {
  readonly environment: ReadonlyMap<string, string>;
  readonly files: ReadonlyMap<string, string>;
  readonly log: ContainerLog;
  /** Of a container that another kubelet has started. */
  readonly resumed?: { readonly startedAt: number; readonly isReady: boolean };
}

/** Starts the containers of a pod when it is their turn. */
export class ContainerStarter {
  readonly #pod: RunningPod;
  readonly #values: KeyValues;
  readonly #volumes: PodVolumes;

  /** @param volumes what another kubelet has mounted. Default: nothing. */
  constructor(pod: RunningPod, volumes?: VolumesMemory) {
    this.#pod = pod;
    this.#volumes = new PodVolumes(volumes);
    this.#values = new KeyValues(pod.kubelet.reader, pod.pod.metadata.namespace ?? '');
  }

  get memory(): VolumesMemory {
    return this.#volumes.memory;
  }

  /** Starts the applications of the containers again that run in a pod which another kubelet knew. */
  resume({ containers }: RunningPodMemory): void {
    for (const run of this.#pod.runs) {
      const memory = containers.get(run.spec.name);
      if (memory?.isRunning) this.#resume(run, memory);
    }
  }

  #resume(
    run: ContainerRun,
    { volumes = new Map(), environment, startedAt, isReady }: ContainerMemory,
  ): void {
    const pod = this.#pod;
    run.files = new MountedFiles(run.spec, volumes, environment);
    run.files.refresh(this.#volumes.mounted ?? volumes);
    const surroundings = { environment, files: run.files.contents, resumed: { startedAt, isReady } };
    run.restartApplication((log) => startApplication(run, pod, { ...surroundings, log }));
    if (run.killAt !== undefined) askToEnd(run, pod);
  }

  /** When to try again to start the containers that are missing, and to refresh files, in milliseconds since 1970. */
  get dueTimes(): readonly number[] {
    const { missing, now } = this.#pod;
    const { retryAt: mountAt, refreshAt } = this.#volumes;
    return [...missing.map(({ retryAt }) => Math.max(retryAt, mountAt, now)), refreshAt];
  }

  /** An object of the namespace has changed: containers that mount it see that within a minute. */
  noteChange(kind: VolumeKind, name: string): void {
    const { pod, now, wake } = this.#pod;
    if (!mountsObject(pod, kind, name)) return;
    this.#volumes.change(now);
    wake();
  }

  /** Shows running containers what has changed in their volumes. */
  async refresh(): Promise<void> {
    if (this.#pod.now < this.#volumes.refreshAt) return;
    const volumes = await this.#mount();
    for (const run of this.#pod.runs) if (volumes && run.isRunning) run.files?.refresh(volumes);
  }

  /** Starts the containers that are missing, if they do not wait. */
  async start(): Promise<void> {
    const pod = this.#pod;
    const missing = pod.missing.filter(({ retryAt }) => pod.now >= retryAt);
    if (missing.length === 0) return;
    const volumes = await this.#mount();
    if (!volumes) return;
    pod.hasSandbox = true;
    const { hostIP, addresses } = pod.kubelet;
    pod.address ??= pod.pod.spec?.hostNetwork ? hostIP : addresses.take();
    for (const run of missing) await this.#startContainer(run, volumes);
  }

  #mount(): Promise<ReadonlyMap<string, VolumeFiles> | undefined> {
    const { pod, now, kubelet } = this.#pod;
    const { client, events } = kubelet;
    const sources = {
      values: this.#values,
      facts: this.#facts,
      tokenFor: (audience?: string, seconds?: number) => requestToken(client, pod, { audience, seconds }),
    };
    const fail = (message: string) => events.record(pod, 'Warning', 'FailedMount', message);
    return this.#volumes.mount(pod, { sources, now, fail });
  }

  get #facts(): PodFacts {
    const { pod, address, kubelet } = this.#pod;
    return { pod, podIP: address ?? '', hostIP: kubelet.hostIP, capacity: kubelet.capacity };
  }

  async #startContainer(run: ContainerRun, volumes: ReadonlyMap<string, VolumeFiles>): Promise<void> {
    const pod = this.#pod;
    if (run.state.terminated && isBackingOff(run, pod)) return;
    if (run.finishedAt > 0) run.crashes.attempt(run.finishedAt, pod.now);
    if (!ensureImage(run, pullOf(run, pod))) return;
    try {
      const services = serviceVariables(pod.kubelet.cache, pod.pod);
      const environment = await environmentOf(run.spec, this.#values, { facts: this.#facts, services });
      run.files = new MountedFiles(run.spec, volumes, environment);
      run.environment = environment;
      const files = run.files.contents;
      pod.record(run, 'Normal', 'Created', 'Container created');
      run.run((log) => startApplication(run, pod, { environment, files, log }), pod.now);
      pod.record(run, 'Normal', 'Started', 'Container started');
      await afterStart(run, pod);
      pod.observe();
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      pod.record(run, 'Warning', 'Failed', `Error: ${error.message}`);
      run.wait('CreateContainerConfigError', error.message);
      run.retryAt = pod.now + syncRetryMs;
    }
  }
}

function pullOf(run: ContainerRun, pod: RunningPod): Pull {
  const { images, failures } = pod.kubelet;
  return {
    images,
    error: failures.pullError(pod.pod, run.spec.image ?? ''),
    now: pod.now,
    record: (...said) => pod.record(run, ...said),
  };
}

function isBackingOff(run: ContainerRun, pod: RunningPod): boolean {
  run.retryAt = run.crashes.until(run.finishedAt);
  if (pod.now >= run.retryAt) return false;
  const { name, namespace, uid } = pod.pod.metadata;
  const podText = `${name}_${namespace}(${uid})`;
  const container = run.spec.name;
  pod.record(
    run,
    'Warning',
    'BackOff',
    `Back-off restarting failed container ${container} in pod ${podText}`,
  );
  run.wait(
    'CrashLoopBackOff',
    `back-off ${run.crashes.text} restarting failed container=${container} pod=${podText}`,
  );
  return true;
}

function startApplication(
  run: ContainerRun,
  running: RunningPod,
  { environment, files, log, resumed }: Surroundings,
): RunningApplication {
  const { kubelet, pod, wake } = running;
  const { name, image = '', command = [], args = [] } = run.spec;
  const { name: podName = '', namespace = '' } = pod.metadata;
  return new RunningApplication(kubelet.applicationOf(image) ?? defaultApplication(run, pod), {
    container: {
      pod,
      name,
      image,
      command: command.map((text) => expand(text, environment)),
      args: args.map((text) => expand(text, environment)),
      env: Object.fromEntries(environment),
      files,
      volume: (volume) => kubelet.volumeData.of(pod, volume),
      restartCount: run.restartCount,
      network: kubelet.network.from(`pod ${namespace}/${podName}`, namespace),
    },
    clock: kubelet.clock,
    log,
    resumed,
    slowness: () => kubelet.failures.slowness(running.pod, image),
    wake,
  });
}

/** A container that no pattern selects: a pod of a Job does its work and ends, others run. */
function defaultApplication(run: ContainerRun, pod: CachedPod): ApplicationBehavior {
  if (run.completes) return { exitCode: 0 };
  const policies = [run.spec.restartPolicy, pod.spec?.restartPolicy];
  return policies.includes('Always') ? {} : { exitCode: 0, exitAfter: '1s' };
}

/** A container whose postStart hook fails ends. */
async function afterStart(run: ContainerRun, pod: RunningPod): Promise<void> {
  const { postStart } = run.spec.lifecycle ?? {};
  if (!postStart || (await runHook(postStart, run, pod))) return;
  pod.record(run, 'Warning', 'FailedPostStartHook', 'PostStartHook failed');
  terminate(run, pod, pod.pod.spec?.terminationGracePeriodSeconds ?? 30, 'FailedPostStartHook');
}
