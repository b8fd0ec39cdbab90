import type { Duplex } from 'node:stream';
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

/** The size of a terminal in characters. */
export interface TerminalSize {
  readonly width: number;
  readonly height: number;
}

/** Where a process of a container writes. */
export interface OutputStream {
  /**
   * Sends bytes to the client, or drops them if the client does not want this stream or is gone. It never rejects.
   *
   * @param bytes a text is sent in UTF-8
   * @returns resolves when the client can receive more; a process that does not wait for it fills the memory
   */
  write(bytes: Buffer | string): Promise<void>;
}

/** The streams between a client and a process of a container. */
export interface ContainerStreams {
  /** What the client sends, until it ends its input or is gone. Undefined if the client sends nothing. */
  readonly stdin: AsyncIterable<Buffer> | undefined;
  readonly stdout: OutputStream;
  /** With a terminal, everything belongs to `stdout`, and what is written here is dropped. */
  readonly stderr: OutputStream;
  /** Whether the client asks for a terminal. */
  readonly tty: boolean;
  /** The sizes of the client's terminal as it changes. A size that is not read yet is replaced by a newer one. Empty without `tty`. */
  readonly resizes: AsyncIterable<TerminalSize>;
  /** Aborts when the client is gone, or the server stops. What the process returns then is dropped. */
  readonly signal: AbortSignal;
}

/**
 * Runs a command with the streams of a client.
 *
 * @returns its exit code
 * @throws {Error} if the command cannot run; the client receives the message after "error executing command in container: "
 */
export type RunCommand = (streams: ContainerStreams) => Promise<number>;

/**
 * Connects the streams of a client to the process of a container, until the process ends.
 *
 * @throws {Error} if it cannot; the client receives the message after "error attaching to container: "
 */
export type AttachStreams = (streams: ContainerStreams) => Promise<void>;

/**
 * Connects to a port of a pod. It is called for each connection.
 *
 * @param port from 1 to 65535
 * @param signal aborts when the client is gone, or the server stops
 * @returns the connection. The server ends its side when the client does, and destroys it when the client is gone.
 * @throws {Error} such as "connection refused"; the client receives the message after "error forwarding port 80 to pod …: "
 */
export type ConnectPort = (port: number, signal: AbortSignal) => Promise<Duplex>;

/**
 * What the server asks the kubelet of a pod, here in the process of the server. Each method returns undefined for a pod that this
 * kubelet does not run: then the server cannot reach its node. `exec`, `attach` and `portForward` only look up the target and change
 * nothing: the server calls them before the connection to the client is open, and calls what they return when it is.
 */
export interface PodStreams {
  /**
   * The log of a container.
   *
   * @param container the name of a container of the pod
   * @returns the bytes of the log
   * @throws {Error} with the message of a kubelet that has no such log; the client receives it as a BadRequest
   */
  log(pod: Pod, container: string, options: LogOptions): AsyncIterable<Buffer> | undefined;
  /**
   * A command that a client wants to run in a container.
   *
   * @param container the name of a container of the pod
   * @param command the program and its arguments; empty if the client sent none
   * @throws {Error} with the message of a kubelet that refuses, such as `container not found ("app")` for one that does not run
   */
  exec?(pod: Pod, container: string, command: readonly string[]): RunCommand | undefined;
  /**
   * The process of a container that a client wants to attach to.
   *
   * @param container the name of a container of the pod
   * @throws {Error} with the message of a kubelet that refuses, such as `container not found ("app")` for one that does not run
   */
  attach?(pod: Pod, container: string): AttachStreams | undefined;
  /**
   * The ports of a pod that a client wants to connect to, or to reach through the proxy of the pod or of a Service.
   *
   * @throws {Error} with the message of a kubelet that refuses, such as `pod not found ("a_default")`
   */
  portForward?(pod: Pod): ConnectPort | undefined;
}
