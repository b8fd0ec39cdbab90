import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { systemClock } from 'ots-apimachinery/clock/clock';
import type { RecordedRequest } from 'ots-apiserver';
import type { KubernetesObject } from 'ots-kubernetes';
import type { ConnectionConfig } from 'ots-runtime';
import { freePorts } from 'ots-testing/tools';
import { diskFileSystem } from '../../scaffold/file-system.ts';
import { MovableClock } from '../clock/movable-clock.ts';
import type { DevCluster } from '../cluster/dev-cluster.ts';
import { EmbeddedCluster } from '../cluster/embedded-cluster.ts';
import { ExistingCluster } from '../cluster/existing-cluster.ts';
import { removeKubeconfig, writeKubeconfig } from '../cluster/write-kubeconfig.ts';
import type { DevAction } from '../model/dev-action.ts';
import { ObjectWatcher } from '../objects/object-watcher.ts';
import { watchedKinds } from '../objects/watched-kinds.ts';
import type { OperatorDeployment } from '../operator/deployment.ts';
import { operatorFlags } from '../operator/operator-flags.ts';
import { OperatorFiles } from '../operator/operator-files.ts';
import { Operator } from '../operator/operator.ts';
import { FollowRights } from '../rights/follow-rights.ts';
import { recordedRequest } from '../rights/recorded-request.ts';
import { requestState } from '../rights/request-state.ts';
import type { DevStore } from '../store/dev-store.ts';
import { Actions } from './actions.ts';
import { FastForward } from './fast-forward.ts';
import { type Configuration, Installation, readConfiguration } from './installation.ts';
import { problemsOf } from './problems-of.ts';

/** How a session starts. */
export interface SessionOptions {
  /** Absolute path of the project. */
  readonly root: string;
  /** The environment of the operator. */
  readonly env: NodeJS.ProcessEnv;
  /** The path of the module that the operator's process loads first. */
  readonly agent: string;
  /** The cluster to use in place of an embedded one. */
  readonly existing?: ConnectionConfig | undefined;
  /** The directory that keeps the embedded cluster. Default: it is lost at the end. */
  readonly data?: string | undefined;
  /** How time passes in the embedded cluster: as usual, or fast while the operator waits. */
  readonly clock: 'real' | 'fast';
}

/** What a session is made of. */
interface Parts {
  readonly configuration: Configuration;
  readonly cluster: DevCluster;
  readonly embedded: EmbeddedCluster | undefined;
  readonly clock: MovableClock;
  readonly objects: ObjectWatcher;
  readonly files: OperatorFiles;
  readonly rights: FollowRights;
  /** Receives each request of the operator. */
  readonly onRequest: (request: RecordedRequest) => void;
  readonly healthPort: number;
  readonly webhookPort: number;
}

/** A cluster, the operator in it, and what is known of both. */
export class DevSession {
  readonly #store: DevStore;
  readonly #options: SessionOptions;
  readonly #parts: Parts;
  readonly #operator: Operator;
  readonly #installation: Installation;
  readonly #actions: Actions;
  readonly #fastForward: FastForward | undefined;
  #deployment: OperatorDeployment;
  /** The text of the configuration that is installed; empty for none. */
  #installed = '';
  #samples: readonly KubernetesObject[] | undefined;
  /** The Deployment whose operator runs, as JSON. */
  #command = '';

  private constructor(options: SessionOptions, store: DevStore, parts: Parts) {
    const { cluster, embedded, clock, objects, configuration, onRequest } = parts;
    this.#options = options;
    this.#store = store;
    this.#parts = parts;
    this.#deployment = configuration.deployment;
    this.#operator = new Operator(store, (request) =>
      onRequest(recordedRequest(request, store.state.operator.user)),
    );
    this.#installation = new Installation(options.root, cluster, objects.client);
    this.#actions = new Actions({
      store,
      embedded,
      clock,
      operator: this.#operator,
      account: () => this.#deployment,
      restart: () => this.restart(),
      applySamples: () => this.applySamples(),
    });
    this.#fastForward =
      options.clock === 'fast'
        ? new FastForward(
            () => store.state,
            (seconds) => this.#actions.skip(seconds),
          )
        : undefined;
  }

  /**
   * Starts the cluster and writes its kubeconfig, or connects to the existing one. Nothing is installed yet.
   *
   * @param store receives what happens
   * @throws {InstallError} when the project's manifests cannot be read; OtsError `NO_OPERATOR`, `OPERATOR_DEPLOYED`; the
   *   error of the server
   */
  static async start(options: SessionOptions, store: DevStore): Promise<DevSession> {
    const configuration = await readConfiguration(options.root);
    const { deployment } = configuration;
    const user = `system:serviceaccount:${deployment.namespace}:${deployment.serviceAccount}`;
    const clock = new MovableClock(systemClock);
    const rights = new FollowRights(store);
    const onRequest = (request: RecordedRequest) => {
      if (request.user !== user) return;
      store.apply({ type: 'request', value: requestState(request, clock.epoch()) });
      rights.add(request);
    };
    const onWarning = (message: string) =>
      store.apply({
        type: 'log',
        value: { at: new Date(clock.epoch()).toISOString(), level: 'warn', message, fields: {} },
      });
    const embedded = options.existing
      ? undefined
      : await EmbeddedCluster.start({ data: options.data, clock, onRequest, onWarning });
    const cluster = embedded ?? (await connectTo(options.existing!, deployment, onWarning));
    const [healthPort = 0, webhookPort = 0] = await freePorts(2);
    const files = await OperatorFiles.create();
    const objects = await ObjectWatcher.start(cluster.connection, store, clock);
    if (embedded) await writeOwnKubeconfig(store.state.cluster.kubeconfig, embedded);
    store.apply({ type: 'cluster', value: { ...store.state.cluster, url: cluster.url } });
    store.apply({ type: 'operator', value: { ...store.state.operator, user } });
    const ports = { healthPort, webhookPort };
    const parts = { configuration, cluster, embedded, clock, objects, files, rights, onRequest, ...ports };
    return new DevSession(options, store, parts);
  }

  /**
   * Applies `config/default` if it has changed since the last time, and reports what is wrong with it.
   *
   * @returns whether it is applied
   */
  async install(): Promise<boolean> {
    const { cluster, files, webhookPort, objects, rights } = this.#parts;
    try {
      const { deployment, text } = await readConfiguration(this.#options.root);
      if (text === this.#installed) return true;
      this.#deployment = deployment;
      const installed = await this.#installation.apply();
      await cluster.serveWebhooks({ url: `https://127.0.0.1:${webhookPort}`, ca: files.certificate });
      const { roots, others } = await watchedKinds(objects.client.mapper, installed);
      objects.watch(roots, true);
      objects.watch(others, false);
      objects.refreshColumns();
      await rights.read(cluster.read, this.#deployment);
      this.#installed = text;
      this.#store.report('install', []);
      return true;
    } catch (error) {
      this.#store.report('install', problemsOf(error));
      return false;
    }
  }

  /**
   * Generates the manifests of the current sources, and reports the errors in them.
   *
   * @param generate writes them
   * @returns whether the sources have no errors
   */
  async generate(generate: () => Promise<void>): Promise<boolean> {
    try {
      await generate();
      this.#store.report('manifests', []);
      return true;
    } catch (error) {
      this.#operator.markBroken();
      this.#store.report('manifests', problemsOf(error));
      return false;
    }
  }

  /** Whether the operator that runs was started in another way than the Deployment says now. */
  get isOutdated(): boolean {
    return this.#command !== JSON.stringify(this.#deployment);
  }

  /**
   * Starts the operator of the current sources, in place of the one that runs. When it is ready, the samples are applied, unless they
   * were before: its webhooks may decide about them.
   */
  async restart(): Promise<void> {
    const { root, env, agent } = this.#options;
    const { cluster, embedded, files, healthPort, webhookPort } = this.#parts;
    this.#command = JSON.stringify(this.#deployment);
    await files.writeKubeconfig(await cluster.kubeconfigFor(this.#deployment));
    const { args, env: own } = this.#deployment;
    const flags = operatorFlags(args, {
      kubeconfig: files.kubeconfig,
      certificates: files.directory,
      healthPort,
      webhookPort,
    });
    // The Deployment limits the memory of a production process.
    const { NODE_OPTIONS: _, ...variables } = own;
    const command = { root, agent, flags, env: { ...env, ...variables }, reportsRequests: !embedded };
    await this.#operator.restart(command, healthPort, () => {
      if (!this.#samples) void this.applySamples();
    });
  }

  /** The samples of the project's own kinds; undefined before they are applied. */
  get samples(): readonly KubernetesObject[] | undefined {
    return this.#samples?.filter((sample) => this.#parts.objects.isRoot(sample));
  }

  /** Applies `config/samples`, and reports what is wrong with them. */
  async applySamples(): Promise<void> {
    try {
      this.#samples = await this.#installation.applySamples();
      await this.#parts.objects.watchSamples(this.#samples);
      this.#store.report('samples', []);
    } catch (error) {
      this.#samples = undefined;
      this.#store.report('samples', problemsOf(error));
    }
  }

  /** Does what a person asks for. @throws OtsError when it is not possible */
  async act(action: DevAction): Promise<void> {
    await this.#actions.act(action);
  }

  /** Stops the operator and the cluster, and removes the kubeconfigs. */
  async stop(): Promise<void> {
    const { cluster, embedded, files, objects, rights } = this.#parts;
    this.#fastForward?.stop();
    rights.stop();
    await this.#operator.stop();
    await objects.stop();
    // Another session of the project may have written its own.
    if (embedded) removeKubeconfig(this.#store.state.cluster.kubeconfig, embedded.kubeconfig, diskFileSystem);
    await cluster.stop();
    await files.remove();
  }
}

/** For kubectl in another terminal. */
async function writeOwnKubeconfig(path: string, { kubeconfig }: EmbeddedCluster): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  writeKubeconfig(path, kubeconfig, diskFileSystem);
}

/** @throws OtsError `OPERATOR_DEPLOYED`, or of the connection */
async function connectTo(
  connection: ConnectionConfig,
  deployment: OperatorDeployment,
  onWarning: (message: string) => void,
): Promise<ExistingCluster> {
  const cluster = new ExistingCluster(connection, onWarning);
  try {
    await cluster.refuseSecondOperator(deployment);
    return cluster;
  } catch (error) {
    await cluster.stop();
    throw error;
  }
}
