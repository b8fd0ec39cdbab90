import type { Duplex } from 'node:stream';
import type { Duration } from 'ots-kubernetes';
import type { Clock } from 'ots-apimachinery/clock/clock';
import type { Network } from '../network/network.ts';
import type { CachedPod } from '../pods/pod-state.ts';

/** What a command in a container ends with. */
export interface ExecResult {
  /** Default 0. */
  readonly exitCode?: number;
  /** Default none. */
  readonly stdout?: string;
  /** Default none. */
  readonly stderr?: string;
}

/** What a simulated application does after it has started. */
export interface ApplicationBehavior {
  /** When it becomes ready after its start: `'2s'`, or milliseconds. Default: at once. */
  readonly readyAfter?: Duration | number;
  /**
   * The exit code of an application that ends by itself, from 0 to 255. Default: it runs until it is stopped, or exits with 0 if
   * `exitAfter` is set.
   */
  readonly exitCode?: number;
  /** When it ends after its start: `'2s'`, or milliseconds. Default: at once if `exitCode` is set, otherwise never. */
  readonly exitAfter?: Duration | number;
  /** What it writes to its log when it starts, one line or several. Default nothing. */
  readonly logs?: string | readonly string[];
  /**
   * Whether it is ready, asked by every readiness and startup probe after `readyAfter`. Default true. A container without these probes
   * is ready after `readyAfter`, as in a cluster.
   */
  readonly ready?: () => boolean | Promise<boolean>;
  /** Whether it is alive, asked by every liveness probe. Default true. */
  readonly live?: () => boolean | Promise<boolean>;
  /** Runs a command of `kubectl exec` or of an exec probe. Default: a probe has the answer of `ready` or `live`. */
  readonly exec?: (command: readonly string[]) => ExecResult | Promise<ExecResult>;
  /**
   * Answers HTTP requests, from `readyAfter` on: probes, those of other applications and operators ({@link Network}), of
   * `kubectl port-forward`, and of the proxies of pods and Services. It listens on the `ports` of the container, or on every port of a
   * container without `ports`. Default: a probe has the answer of `ready` or `live`, and the application listens on no port.
   *
   * @param port of the container. The URL has the host and port that the client has used.
   */
  readonly http?: (request: Request, port: number) => Response | Promise<Response>;
  /**
   * Answers connections that are not HTTP, by ports of the container, from `readyAfter` on. The function is called for each connection
   * and ends it, also after its client has ended its side; at the latest it ends with the application. A function that throws crashes
   * the application.
   *
   * ```ts
   * tcp: { 2181: (socket) => socket.once('data', (word) => socket.end(String(word) === 'ruok' ? 'imok' : '')) }
   * ```
   */
  readonly tcp?: Readonly<Record<number, (socket: Duplex) => void | Promise<void>>>;
  /**
   * Runs when the container is asked to stop (SIGTERM). The application exits when it returns or its promise resolves, with the
   * number as exit code. One that takes longer than the grace period is killed: exit code 137. Default: it exits at once with 0.
   */
  readonly terminate?: () => number | void | Promise<number | void>;
}

/** The container in which a simulated application runs. */
export interface SimulatedContainer {
  /** The pod as it was when the container started. */
  readonly pod: CachedPod;
  /** The name of the container. */
  readonly name: string;
  /** The image as the pod names it. */
  readonly image: string;
  /** `command` of the container, with the values of variables. */
  readonly command: readonly string[];
  /** `args` of the container, with the values of variables. */
  readonly args: readonly string[];
  /**
   * The environment, with the values of ConfigMaps, Secrets and fields of the pod, and the variables of Services
   * (`KUBERNETES_SERVICE_HOST`), as they were when the container started.
   */
  readonly env: Readonly<Record<string, string>>;
  /**
   * The contents of mounted ConfigMaps, Secrets, tokens and fields of the pod, by absolute path, such as `/etc/config/app.yaml`. They
   * change a minute after a ConfigMap or Secret, except those that are mounted with a subPath.
   */
  readonly files: ReadonlyMap<string, string>;
  /**
   * What a volume of the pod contains: files by their paths in the volume, such as `snapshot.db`. What the application writes is there for
   * all containers that have the volume, after a restart, and in snapshots of the cluster: as long as the PersistentVolume exists, or the
   * pod of an emptyDir.
   *
   * @param name of a volume with a PersistentVolumeClaim or an emptyDir
   * @throws {TestEnvironmentError} when the pod has no such volume, and when its claim is not bound
   */
  readonly volume: (name: string) => Map<string, string>;
  /** How often the container was restarted before. */
  readonly restartCount: number;
  /** The time of the cluster. */
  readonly clock: Clock;
  /** What it can reach. Names are as in its namespace: `db-0.db` is a pod of the Service `db`. */
  readonly network: Network;
  /** Aborts when the container is asked to stop, and when it ends. */
  readonly signal: AbortSignal;
  /** Writes a line to the log. */
  readonly log: (line: string) => void;
  /** Ends the application. The exit code is 0 by default. */
  readonly exit: (exitCode?: number) => void;
}

/**
 * What runs instead of an image: a behavior, or a function that starts and returns one. A function that throws, or whose promise
 * rejects, has crashed: the container ends with exit code 1 and the message in its log.
 */
export type Application =
  | ApplicationBehavior
  | ((
      container: SimulatedContainer,
    ) => ApplicationBehavior | undefined | void | Promise<ApplicationBehavior | undefined | void>);

/**
 * Applications by patterns of images, such as `'memcached:*'` or `'registry.example.com/*'`: `*` is any text. The first pattern that
 * matches decides. An image without tag has the tag `latest`.
 */
export type Images = Readonly<Record<string, Application>>;
