import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { systemClock } from 'ots-apimachinery/clock/clock';
import type { RecordedRequest } from 'ots-apiserver';
import type { KubernetesObject } from 'ots-kubernetes';
import { freePorts } from 'ots-testing/tools';
import { diskFileSystem } from '../../scaffold/file-system.ts';
import { MovableClock } from '../clock/movable-clock.ts';
import { EmbeddedCluster } from '../cluster/embedded-cluster.ts';
import { removeKubeconfig, writeKubeconfig } from '../cluster/write-kubeconfig.ts';
import type { DevAction } from '../model/dev-action.ts';
import { ObjectWatcher } from '../objects/object-watcher.ts';
import { watchedKinds } from '../objects/watched-kinds.ts';
import type { OperatorDeployment } from '../operator/deployment.ts';
import { operatorFlags } from '../operator/operator-flags.ts';
import { OperatorFiles } from '../operator/operator-files.ts';
import { Operator } from '../operator/operator.ts';
import { FollowRights } from '../rights/follow-rights.ts';
import { requestState } from '../rights/request-state.ts';
import type { DevStore } from '../store/dev-store.ts';
import { Actions } from './actions.ts';
import { Installation, readDeployment } from './installation.ts';
import { problemsOf } from './problems-of.ts';

/** How a session starts. */
export interface SessionOptions {
  /** Absolute path of the project. */
  readonly root: string;
  /** The environment of the operator. */
  readonly env: NodeJS.ProcessEnv;
  /** The path of the module that the operator's process loads first. */
  readonly agent: string;
  /** The directory that keeps the cluster. Default: it is lost at the end. */
  readonly data?: string | undefined;
}

/** What a session is made of. */
interface Parts {
  readonly deployment: OperatorDeployment;
  readonly cluster: EmbeddedCluster;
  readonly clock: MovableClock;
  readonly objects: ObjectWatcher;
  readonly files: OperatorFiles;
  readonly rights: FollowRights;
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
  #deployment: OperatorDeployment;

  private constructor(options: SessionOptions, store: DevStore, parts: Parts) {
    const { cluster, clock, objects, deployment } = parts;
    this.#options = options;
    this.#store = store;
    this.#parts = parts;
    this.#deployment = deployment;
    this.#operator = new Operator(store);
    this.#installation = new Installation(options.root, cluster, objects.client);
    this.#actions = new Actions({
      store,
      cluster,
      clock,
      operator: this.#operator,
      account: () => this.#deployment,
      restart: () => this.restart(),
      applySamples: () => this.applySamples(),
    });
  }

  /**
   * Starts the cluster, and writes its kubeconfig. Nothing is installed yet.
   *
   * @param store receives what happens
   * @throws {InstallError} when the project's manifests cannot be read; OtsError `NO_OPERATOR`; the error of the server
   */
  static async start(options: SessionOptions, store: DevStore): Promise<DevSession> {
    const deployment = await readDeployment(options.root);
    const user = `system:serviceaccount:${deployment.namespace}:${deployment.serviceAccount}`;
    const clock = new MovableClock(systemClock);
    const rights = new FollowRights(store);
    const onRequest = (request: RecordedRequest) => {
      if (request.user !== user) return;
      store.apply({ type: 'request', value: requestState(request, clock.epoch()) });
      rights.add(request);
    };
    const onWarning = (message: string) => store.report('install', [{ message }]);
    const cluster = await EmbeddedCluster.start({ data: options.data, clock, onRequest, onWarning });
    const [healthPort = 0, webhookPort = 0] = await freePorts(2);
    const files = await OperatorFiles.create();
    const objects = await ObjectWatcher.start(cluster.connection, store, clock);
    const { kubeconfig } = store.state.cluster;
    await mkdir(dirname(kubeconfig), { recursive: true });
    writeKubeconfig(kubeconfig, cluster.kubeconfig, diskFileSystem);
    store.apply({ type: 'cluster', value: { ...store.state.cluster, url: cluster.url } });
    store.apply({ type: 'operator', value: { ...store.state.operator, user } });
    const parts = { deployment, cluster, clock, objects, files, rights, healthPort, webhookPort };
    return new DevSession(options, store, parts);
  }

  /** Applies `config/default`, and reports what is wrong with it. @returns whether it worked */
  async install(): Promise<boolean> {
    const { cluster, files, webhookPort, objects, rights } = this.#parts;
    try {
      this.#deployment = await readDeployment(this.#options.root);
      const installed = await this.#installation.apply();
      await cluster.serveWebhooks({ url: `https://127.0.0.1:${webhookPort}`, ca: files.certificate });
      const { roots, others } = await watchedKinds(objects.client.mapper, installed);
      objects.watch(roots, true);
      objects.watch(others, false);
      await rights.read(cluster.connection, this.#deployment);
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
   * @param generate writes them, and returns whether any file has changed
   * @returns what it returned; undefined when the sources have errors
   */
  async generate(generate: () => Promise<boolean>): Promise<boolean | undefined> {
    try {
      const isChanged = await generate();
      this.#store.report('manifests', []);
      return isChanged;
    } catch (error) {
      this.#store.report('manifests', problemsOf(error));
      this.#operator.markBroken();
      return undefined;
    }
  }

  /** Starts the operator of the current sources, in place of the one that runs. Resolves when it is ready, or has ended. */
  async restart(): Promise<void> {
    const { root, env, agent } = this.#options;
    const { cluster, files, healthPort, webhookPort } = this.#parts;
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
    await this.#operator.restart({ root, agent, flags, env: { ...env, ...variables } }, healthPort);
  }

  /** Applies `config/samples`, and reports what is wrong with them. @returns them */
  async applySamples(): Promise<readonly KubernetesObject[]> {
    try {
      const samples = await this.#installation.applySamples();
      this.#store.report('samples', []);
      return samples;
    } catch (error) {
      this.#store.report('samples', problemsOf(error));
      return [];
    }
  }

  /** Does what a person asks for. @throws OtsError when it is not possible */
  async act(action: DevAction): Promise<void> {
    await this.#actions.act(action);
  }

  /** Stops the operator and the cluster, and removes the kubeconfigs. */
  async stop(): Promise<void> {
    const { cluster, files, objects, rights } = this.#parts;
    rights.stop();
    await this.#operator.stop();
    await objects.stop();
    // Another session of the project may have written its own.
    removeKubeconfig(this.#store.state.cluster.kubeconfig, cluster.kubeconfig, diskFileSystem);
    await cluster.stop();
    await files.remove();
  }
}
