import type { Pod } from 'ots-kubernetes/core/v1';
import type { AttachStreams, ConnectPort, LogOptions, PodStreams, RunCommand } from 'ots-apiserver';
import type { RunningApplication } from '../images/running-application.ts';
import type { ContainerRun } from './container-run.ts';
import { logOf } from './log-of.ts';
import type { PodWorker } from './pod-worker.ts';

/** Connects clients to the simulated applications of pods. */
export class KubeletStreams implements PodStreams {
  readonly #isHere: (pod: Pod) => boolean;
  readonly #workerOf: (pod: Pod) => PodWorker | undefined;

  /**
   * @param isHere whether a pod is on one of the nodes
   * @param workerOf what runs a pod; undefined if its kubelet has not seen it yet
   */
  constructor(isHere: (pod: Pod) => boolean, workerOf: (pod: Pod) => PodWorker | undefined) {
    this.#isHere = isHere;
    this.#workerOf = workerOf;
  }

  log(pod: Pod, container: string, options: LogOptions): AsyncIterable<Buffer> | undefined {
    if (!this.#isHere(pod)) return undefined;
    const { name = '' } = pod.metadata;
    const worker = this.#workerOf(pod);
    if (!worker) throw new Error(`pod "${name}" cannot be found - no logs available`);
    const run = worker.container(container);
    if (!run) throw new Error(`container "${container}" in pod "${name}" is not available`);
    return logOf(run, name, options.previous).read(options);
  }

  exec(pod: Pod, container: string, command: readonly string[]): RunCommand | undefined {
    if (!this.#isHere(pod)) return undefined;
    const { application } = this.#running(pod, container);
    return async ({ stdout: output, stderr: errors }) => {
      const { exitCode = 0, stdout = '', stderr = '' } = await application.exec(command);
      await output.write(stdout);
      await errors.write(stderr);
      return exitCode;
    };
  }

  attach(pod: Pod, container: string): AttachStreams | undefined {
    if (!this.#isHere(pod)) return undefined;
    const { run } = this.#running(pod, container);
    const log = logOf(run, pod.metadata.name ?? '', false);
    return async ({ stdout, signal }) => {
      const options = { follow: true, previous: false, timestamps: false, tailLines: 0, signal };
      for await (const bytes of log.read({ ...options, limitBytes: undefined, since: undefined }))
        await stdout.write(bytes);
    };
  }

  portForward(pod: Pod): ConnectPort | undefined {
    if (!this.#isHere(pod)) return undefined;
    const { name, namespace } = pod.metadata;
    const worker = this.#workerOf(pod);
    if (!worker) throw new Error(`pod not found ("${name}_${namespace}")`);
    return async (port) => worker.connect(port);
  }

  #running(pod: Pod, container: string): { run: ContainerRun; application: RunningApplication } {
    const run = this.#workerOf(pod)?.container(container);
    const application = run?.application;
    if (run && application) return { run, application };
    throw new Error(`container not found ("${container}")`);
  }
}
