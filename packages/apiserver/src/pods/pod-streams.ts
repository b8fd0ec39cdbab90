import type { Pod } from 'ots-kubernetes/core/v1';

/** Which part of a container's log a client asks for, as in `PodLogOptions`. */
export interface LogOptions {
  /** Whether to wait for more until the container ends. */
  readonly follow: boolean;
  /** Whether to read the log of the container before its last restart. */
  readonly previous: boolean;
  /** Whether each line begins with its time. */
  readonly timestamps: boolean;
  /** How many lines from the end. Undefined for all. */
  readonly tailLines: number | undefined;
  /** After how many bytes the log ends, even within a line. Undefined for no limit. */
  readonly limitBytes: number | undefined;
  /** Only lines from then on, in milliseconds since 1970. Undefined for all. */
  readonly since: number | undefined;
  /** Aborts when the client has gone, or has received everything. */
  readonly signal: AbortSignal;
}

/** What the server asks the kubelet of a pod, here in the process of the server. */
export interface PodStreams {
  /**
   * The log of a container.
   *
   * @param container the name of a container of the pod
   * @returns the bytes of the log; undefined for a pod that this kubelet does not run: then the server cannot reach its node
   * @throws {Error} with the message of a kubelet that has no such log; the client receives it as a BadRequest
   */
  log(pod: Pod, container: string, options: LogOptions): AsyncIterable<Buffer> | undefined;
}
