import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  type Controllers,
  type FeatureGate,
  type OptionalPlugin,
  createObjects,
  installCrds,
  loadCrds,
  renderKubeconfig,
} from 'ots-apiserver';
import type { Duration, KubernetesObject } from 'ots-kubernetes';
import { TestFaults } from '../faults/test-faults.ts';
import { type InstallOptions, installManifests } from '../install/install-manifests.ts';
import type { TestMetrics } from '../metrics/test-metrics.ts';
import type { RequestLog } from '../requests/request-log.ts';
import { type Account, type UnusedRule, findUnusedRules } from '../requests/unused-rules.ts';
import type { Identity } from '../requests/user-of.ts';
import type { Choose } from '../simulation/delivery.ts';
import type { Simulation } from '../simulation/simulation.ts';
import type { TracedWrite } from '../simulation/trace.ts';
import { TestServices } from '../services/test-services.ts';
import type { WorkloadFailures } from '../workloads/failures/workload-failures.ts';
import type { Network } from '../workloads/network/network.ts';
import { TestNodes } from '../workloads/nodes/test-nodes.ts';
import type { WorkloadOptions } from '../workloads/workload-options.ts';
import { type CertificateAuthority, type ControlPlane, startEmbedded } from './control-plane.ts';
import type { EnvironmentSnapshot } from './environment-snapshot.ts';
import { startReal } from './real-control-plane.ts';
import { requestToken } from './request-token.ts';
import { TestEnvironmentError } from '../errors/test-environment-error.ts';

/** What a {@link TestEnvironment} starts with. */
export interface TestEnvironmentOptions {
  /**
   * Files and directories of CustomResourceDefinitions, in YAML or JSON. Where a Service converts between the versions of a kind,
   * the server only changes their `apiVersion` (`strategy: None`) until a manager serves the conversion, so other tests need no
   * webhook. Default none.
   */
  crds?: readonly string[];
  /** Objects to create after the definitions, in this order. Default none. */
  objects?: readonly KubernetesObject[];
  /**
   * Which controllers run beside the server. Default: those of garbage, deleted namespaces, aggregated roles, resource quotas,
   * admission policies and certificate requests. `true` adds the ServiceAccount `default` and the ConfigMap `kube-root-ca.crt` of
   * every namespace. `false` runs none.
   * With `KUBEBUILDER_ASSETS` they are the controllers of the kube-controller-manager in that directory. If it is missing
   * (`setup-envtest` does not install it), the default is none with a warning, and asking for controllers is an error.
   */
  controllers?: Controllers;
  /**
   * Plugins of admission that are off by default, as in envtest. `ServiceAccount` gives every pod a ServiceAccount, which must
   * exist, and a token volume. `OwnerReferencesPermissionEnforcement`, which OpenShift has on, requires that who sets
   * `blockOwnerDeletion` may update the finalizers of the owner. Default: none.
   */
  enableAdmissionPlugins?: readonly OptionalPlugin[];
  /** Feature gates that are off by default, such as `ShardedListAndWatch` (KEP-5866). Default: none. */
  enableFeatureGates?: readonly FeatureGate[];
  /** The authority that signs client certificates, in PEM, for tests that sign their own. Default: created. */
  clientAuthority?: CertificateAuthority;
  /**
   * Whether {@link TestEnvironment.requests} records requests. Default false: most tests do not look at them, and a log that began
   * with the first look would lack what came before.
   */
  recordRequests?: boolean;
  /**
   * Whether the controllers of workloads run, such as those of Deployments, Jobs and Services, and beside which nodes. Default
   * false. `true` is one simulated node, whose pods become ready. With `KUBEBUILDER_ASSETS` the controllers are those of the
   * kube-controller-manager in that directory, and its absence is an error; the nodes are simulated there, too.
   */
  workloads?: boolean | WorkloadOptions;
  /**
   * Whose time the cluster has. With `virtual`, time stands still until the test calls {@link TestEnvironment.advance}, and the
   * server, its controllers, the workloads and every manager with {@link TestEnvironment.config} share it. Requests then need no
   * network, and {@link TestEnvironmentOptions.seed} decides the order in which they and the events of watches arrive. Such a test
   * always uses the embedded server, also with `KUBEBUILDER_ASSETS`. Default `system`.
   */
  clock?: 'system' | 'virtual';
  /** Decides all chance of a virtual clock: the same seed gives the same writes in the same order. Default 1. */
  seed?: number;
  /**
   * Decides what arrives next under a virtual clock: requests, responses and events of watches, which it may hold back, repeat or drop.
   * For tools that explore what can happen. Default: the seed decides.
   */
  choose?: Choose;
  /**
   * Whether a tool explores what can happen: then nodes renew their Leases without requests in spite of `choose`, and the simulated
   * controllers do not log what goes wrong. Default false.
   *
   * @internal
   */
  isExplored?: boolean;
  /**
   * Whether the Events of the simulated controllers, scheduler and kubelets are stored. Default true. Only a virtual clock can do
   * without.
   *
   * @internal
   */
  storesEvents?: boolean;
  /**
   * The cluster to continue, of another environment with a virtual clock: {@link TestEnvironment.snapshot}. All of its objects are
   * there at once, with their resource versions, and the clock begins at its time. So do {@link TestEnvironment.failures}, what was
   * done to {@link TestEnvironment.nodes}, and {@link TestEnvironment.metrics}. Containers run on: simulated applications start again,
   * with what they have on volumes and without what they had in memory and in their logs, but no container restarts. Controllers begin as after a restart of
   * kube-controller-manager: delays before their next attempts, and the history of autoscalers, begin again. Credentials of the other
   * server are not valid, and faults of requests, services, recorded requests and the trace do not come along.
   *
   * Give the options of the other environment again, without its `crds` and `objects`: what these contain is added. {@link seed} gives
   * other UIDs than those in the snapshot. Default: a new cluster.
   */
  from?: EnvironmentSnapshot;
  /** Environment variables in which to look up `KUBEBUILDER_ASSETS`. Default `process.env`. */
  env?: Readonly<Record<string, string | undefined>>;
}

/**
 * An API server for one test file: the embedded one, or etcd and kube-apiserver from `KUBEBUILDER_ASSETS` when that is set.
 *
 * ```ts
 * await using environment = await TestEnvironment.start({ crds: ['config/crd/bases'] });
 * ```
 */
export class TestEnvironment {
  /** How to reach the server: a `ConnectionConfig` of ots-runtime. */
  readonly config: ControlPlane['connection'];
  /** The same as a kubeconfig, for kubectl and other tools. YAML. */
  readonly kubeconfig: string;
  /** Where the Services listen that webhook configurations and CRDs name. */
  readonly services: TestServices;
  readonly #controlPlane: ControlPlane;
  #directory: Promise<string> | undefined;
  #faults: TestFaults | undefined;
  #nodes: TestNodes | undefined;
  #network: Network | undefined;
  readonly #beforeStop: (() => Promise<void>)[] = [];

  private constructor(controlPlane: ControlPlane) {
    this.#controlPlane = controlPlane;
    const { services, simulation } = controlPlane;
    this.services = new TestServices(services, simulation && ((handler) => simulation.localService(handler)));
    this.config = { ...controlPlane.connection, services: this.services };
    this.kubeconfig = renderKubeconfig(controlPlane.connection, 'test-environment');
  }

  /**
   * Starts the server, installs the definitions, waits until the server serves them, and creates the objects. After an error
   * nothing keeps running.
   *
   * @throws {InstallError} (of ots-apiserver) when a path is missing, or the server refuses a definition or an object
   * @throws {TestEnvironmentError} when the server does not start, and for a snapshot where one of the clocks is not virtual
   */
  static async start(options: TestEnvironmentOptions = {}): Promise<TestEnvironment> {
    const { crds = [], objects = [], env = process.env, from } = options;
    if (from) checkClocks(options.clock, from);
    const definitions = await loadCrds(crds);
    const assets = env['KUBEBUILDER_ASSETS'];
    const controlPlane = await (assets && options.clock !== 'virtual'
      ? startReal(assets, options)
      : startEmbedded(options));
    try {
      await installCrds(controlPlane.connection, definitions);
      await createObjects(controlPlane.connection, objects);
      return new TestEnvironment(controlPlane);
    } catch (error) {
      await controlPlane.stop();
      throw error;
    }
  }

  /**
   * How to reach the server as a ServiceAccount or user, under exactly the rights that roles and role bindings grant. {@link config} is the
   * administrator, who may do everything.
   *
   * ```ts
   * const connection = await environment.as({ serviceAccount: 'controller-manager', namespace: 'system' });
   * const manager = await Manager.create({ connection });
   * ```
   *
   * @returns a `ConnectionConfig` of ots-runtime. A ServiceAccount has a token that is valid for one day.
   * @throws {TestEnvironmentError} when the ServiceAccount does not exist
   */
  async as(identity: Identity): Promise<ControlPlane['connection']> {
    if ('serviceAccount' in identity)
      return { ...this.config, token: await requestToken(this.config, identity) };
    const { user, groups } = identity;
    return { ...this.config, impersonate: { user, ...(groups && { groups }) } };
  }

  /**
   * Applies manifests, such as those that `ots manifests` wrote: namespaces and CustomResourceDefinitions first, which are then
   * served, and admission webhooks and policies last. Applying them again changes nothing. It creates missing namespaces of the objects. Services
   * convert between versions as with `crds`.
   *
   * ```ts
   * await environment.install('config/rbac', { namespace: 'system' });
   * ```
   *
   * @param fileOrDirectory a YAML or JSON file, a directory of them, or a directory with a `kustomization.yaml`, such as
   *   `config/default`. Supported in a kustomization: `resources`, `components`, `namespace`, `namePrefix`, `labels` without
   *   selectors, `patches` with a target, `images`, and `configurations` with name references. Relative paths start at the working
   *   directory of the process.
   * @returns the objects as the server stored them, in the order in which it received them
   * @throws {InstallError} (of ots-apiserver) when a file cannot be read, a kustomization has a field that is not supported, or the
   *   server refuses an object; it names the file, the document in it, and what the server said
   */
  async install(fileOrDirectory: string, options: InstallOptions = {}): Promise<KubernetesObject[]> {
    const installed = await installManifests(this.config, fileOrDirectory, options);
    await this.#controlPlane.installed();
    return installed;
  }

  /**
   * Who asked for what, from the start of the environment. With `KUBEBUILDER_ASSETS` it comes from the audit log of kube-apiserver.
   *
   * @throws {TestEnvironmentError} when the environment was started without `recordRequests: true`
   */
  get requests(): RequestLog {
    const { requests } = this.#controlPlane;
    if (requests) return requests;
    throw new TestEnvironmentError(
      'The environment does not record requests',
      'Start it with recordRequests: true.',
    );
  }

  /**
   * The rules that roles grant to a ServiceAccount and that no recorded request used, as `@rbac` tags. Rules of the groups that it is
   * in do not count. A test that does not elect a leader or serve metrics leaves the rules for that unused.
   *
   * ```ts
   * const unused = await environment.unusedRules(operator);
   * expect(unused.filter(({ role }) => role === 'ClusterRole manager-role')).toEqual([]);
   * ```
   *
   * @throws {TestEnvironmentError} when requests are not recorded, or there were more than the log keeps
   */
  async unusedRules(account: Account): Promise<UnusedRule[]> {
    return findUnusedRules(this.config, account, await this.requests.complete(account));
  }

  /**
   * A kubeconfig for an identity, for kubectl and other clients that know nothing of this process. Such clients send credentials over
   * TLS only, so the embedded server listens with TLS from the first call on, on another port. A ServiceAccount has a token that is
   * valid for one day, a user a client certificate.
   *
   * @returns YAML
   * @throws {TestEnvironmentError} when the ServiceAccount does not exist
   */
  async kubeconfigFor(identity: Identity): Promise<string> {
    const secure = await this.#controlPlane.secureConnection();
    const credentials =
      'serviceAccount' in identity
        ? { token: await requestToken(this.config, identity) }
        : this.#controlPlane.issueCertificate({ name: identity.user, groups: identity.groups ?? [] });
    return renderKubeconfig({ ...secure, ...credentials }, 'test-environment');
  }

  /**
   * Writes {@link kubeconfig}, or that of an identity, to a file that only this user can read, and that `stop` removes.
   *
   * @returns its path; without an identity the same every time
   * @throws {TestEnvironmentError} when the ServiceAccount of the identity does not exist
   * @throws the error of the file system
   */
  async kubeconfigFile(identity?: Identity): Promise<string> {
    const text = identity ? await this.kubeconfigFor(identity) : this.kubeconfig;
    this.#directory ??= mkdtemp(path.join(tmpdir(), 'ots-kubeconfig-'));
    const file = path.join(await this.#directory, identity ? `kubeconfig-${randomUUID()}` : 'kubeconfig');
    await writeFile(file, text, { mode: 0o600 });
    return file;
  }

  /**
   * Moves time and runs what becomes due, in order: requeues, leases, backoffs, expiry. Returns when the cluster is quiet.
   *
   * ```ts
   * await environment.advance('1h');
   * ```
   *
   * @param time a duration, or milliseconds
   * @throws {TestEnvironmentError} without a virtual clock, and as {@link settle}; {UsageError} (of ots-runtime) for what is not a duration
   */
  async advance(time: Duration | number): Promise<void> {
    await this.#simulation.advance(time);
  }

  /**
   * Waits until nothing more happens without time: nothing is on its way, and no reconcile can continue. Work that waits for
   * something outside of the cluster, such as a file, gets real time.
   *
   * @throws {TestEnvironmentError} without a virtual clock; when nothing has moved for 10 s of real time, with what is still busy; when the
   *   cluster does not become quiet, because a client sends the same request again and again
   */
  async settle(): Promise<void> {
    await this.#simulation.settle();
  }

  /**
   * What clients and the server's own controllers have written since the start, in the order in which the server answered, or its
   * controllers wrote. What expires, such as Events, is not written.
   *
   * @throws {TestEnvironmentError} without a virtual clock
   */
  get trace(): readonly TracedWrite[] {
    return this.#simulation.trace;
  }

  get #simulation(): Simulation {
    const { simulation } = this.#controlPlane;
    if (simulation) return simulation;
    throw new TestEnvironmentError('The environment has real time', "Start it with clock: 'virtual'.");
  }

  /**
   * The cluster as it is now, for {@link restore} and {@link TestEnvironmentOptions.from}. It costs one reference per object. What is on
   * its way is not part of it: {@link settle} first.
   *
   * @throws {TestEnvironmentError} with `KUBEBUILDER_ASSETS`
   */
  snapshot(): EnvironmentSnapshot {
    return this.#state.snapshot();
  }

  /**
   * Returns to a snapshot of this environment: all objects with their resource versions, and what the server knows about them. Every
   * watch ends with 410 Expired, so caches list again. Time does not go back, and what the environment knows beside the objects stays,
   * such as failures that a test has added.
   *
   * @throws {TestEnvironmentError} with `KUBEBUILDER_ASSETS`
   */
  async restore(snapshot: EnvironmentSnapshot): Promise<void> {
    await this.#state.restore(snapshot);
  }

  /**
   * Restarts the server: drops every connection and comes back at the same URL with the same objects and credentials.
   *
   * @throws {TestEnvironmentError} with `KUBEBUILDER_ASSETS`
   */
  async restart(): Promise<void> {
    await this.#state.restart();
  }

  /**
   * Makes the server fail: conflicts, 429, timeouts, latency, stale lists, broken and silent watches, compaction.
   *
   * ```ts
   * environment.faults.add({ verbs: ['update'], resource: 'deployments', times: 1 }, { answer: 'Conflict' });
   * ```
   *
   * @throws {TestEnvironmentError} with `KUBEBUILDER_ASSETS`
   */
  get faults(): TestFaults {
    return (this.#faults ??= new TestFaults(this.#state.faults));
  }

  /**
   * Makes pods on simulated nodes fail: image pulls, crashes, slow starts, evictions; and claims, whose volumes cannot be created.
   *
   * ```ts
   * using failure = environment.failures.add({ labels: 'app=web' }, { crashAfter: '5s' });
   * ```
   *
   * @throws {TestEnvironmentError} without simulated nodes
   */
  get failures(): WorkloadFailures {
    const { failures } = this.#controlPlane;
    if (failures) return failures;
    throw withoutNodes();
  }

  /**
   * Connects operators under test to simulated applications: pass its `fetch` and `connect` to the operator in place of the global
   * `fetch` and `connect` of `node:net`. Names without a namespace are those of `default`.
   *
   * ```ts
   * const response = await environment.network.fetch('http://etcd-0.etcd.default.svc:2379/version');
   * ```
   *
   * @throws {TestEnvironmentError} without simulated nodes
   */
  get network(): Network {
    const { network } = this.#controlPlane;
    if (network) return (this.#network ??= network.from('environment.network', 'default'));
    throw withoutNodes();
  }

  /**
   * The metrics of the cluster, which HorizontalPodAutoscalers read.
   *
   * ```ts
   * await environment.metrics.set({ pods: { labels: { app: 'web' } }, cpu: '800m' });
   * await environment.advance('30s');
   * ```
   *
   * @throws {TestEnvironmentError} without workloads
   */
  get metrics(): TestMetrics {
    const { metrics } = this.#controlPlane;
    if (metrics) return metrics;
    throw new TestEnvironmentError('The environment runs no workloads', 'Start it with workloads: true.');
  }

  get #state(): NonNullable<ControlPlane['state']> {
    const { state } = this.#controlPlane;
    if (state) return state;
    throw new TestEnvironmentError(
      'Only the embedded server has snapshots, restarts and faults',
      'Start the environment with env: {}, which chooses the embedded server.',
    );
  }

  /**
   * Makes simulated nodes fail: stops their kubelets, or lets them report that they are not ready.
   *
   * ```ts
   * environment.nodes.stop('node-1');
   * await environment.advance('1m');
   * ```
   *
   * @throws {TestEnvironmentError} when the environment has no simulated nodes
   */
  get nodes(): TestNodes {
    const { nodes } = this.#controlPlane;
    if (nodes) return (this.#nodes ??= new TestNodes(nodes));
    throw new TestEnvironmentError(
      'The environment has no nodes',
      'Start it with workloads: true, or workloads: { nodes: 3 } for more than one.',
    );
  }

  /**
   * Runs a function before the server stops, for what a test has started beside it. The last one that was added runs first.
   *
   * @param stop is called once. If it rejects, everything else stops all the same, and `stop` rejects with its reason.
   */
  onStop(stop: () => Promise<void>): void {
    this.#beforeStop.push(stop);
  }

  /** Stops the server and removes everything that it has written. A second call does nothing. */
  async stop(): Promise<void> {
    try {
      await this.#stopOthers();
    } finally {
      this.services.stop();
      await this.#controlPlane.stop();
      const directory = await this.#directory?.catch(() => undefined);
      if (directory !== undefined) await rm(directory, { recursive: true, force: true });
    }
  }

  /** One that fails does not stop the others from stopping. */
  async #stopOthers(): Promise<void> {
    const failures: unknown[] = [];
    for (const stop of this.#beforeStop.splice(0).toReversed())
      await stop().catch((error: unknown) => failures.push(error));
    if (failures.length > 0) throw failures[0];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }
}

/** Ages, and when something expires or is due, are only right if time continues. */
function checkClocks(clock: TestEnvironmentOptions['clock'], { time }: EnvironmentSnapshot): void {
  if (clock === 'virtual' && time !== undefined) return;
  throw new TestEnvironmentError(
    time === undefined
      ? 'The snapshot is of an environment with real time'
      : 'An environment with real time cannot start from a snapshot',
    "Start both environments with clock: 'virtual'.",
  );
}

function withoutNodes(): TestEnvironmentError {
  return new TestEnvironmentError('The environment has no simulated nodes', 'Start it with workloads: true.');
}
