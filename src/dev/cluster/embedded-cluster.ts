import type { Clock } from 'ots-apimachinery/clock/clock';
import {
  ApiServer,
  type Connection,
  type RecordedRequest,
  type ServiceEndpoint,
  renderKubeconfig,
  send,
} from 'ots-apiserver';
import { EmbeddedServices, TestFaults, installManifests, requestToken } from 'ots-testing/tools';
import type { KubernetesObject } from 'ots-kubernetes';
import type { Workloads } from 'ots-testing/workloads';
import type { DevCluster } from './dev-cluster.ts';
import { runWorkloads, streamsOf } from './run-workloads.ts';

/** The most that a TokenRequest can ask for: 136 years. */
const maxTokenSeconds = 2 ** 32;

/** What an embedded cluster starts with. */
export interface EmbeddedClusterOptions {
  /** The directory that keeps it. Default: it is lost at the end. */
  readonly data?: string | undefined;
  /** Its time. */
  readonly clock: Clock;
  /** Receives every request. It must not throw. */
  readonly onRequest: (request: RecordedRequest) => void;
  /** Receives what the user of `data` should know, as one line. */
  readonly onWarning: (message: string) => void;
}

/** The cluster of `ots dev` in this process: the API server, workloads, and a simulated node. It listens on loopback, over TLS. */
export class EmbeddedCluster implements DevCluster {
  /** In this process. */
  readonly connection: Connection;
  /** Makes the API server fail. */
  readonly faults: TestFaults;
  readonly #server: ApiServer;
  readonly #services: EmbeddedServices;
  readonly #workloads: Workloads;

  private constructor(server: ApiServer, connection: Connection, workloads: Workloads) {
    this.#server = server;
    this.#workloads = workloads;
    this.connection = connection;
    this.faults = new TestFaults(server.faults);
    this.#services = new EmbeddedServices(server, connection);
  }

  /** @throws the error of the server */
  static async start({
    data,
    clock,
    onRequest,
    onWarning,
  }: EmbeddedClusterOptions): Promise<EmbeddedCluster> {
    let workloads: Workloads | undefined;
    const server = await ApiServer.start({
      tls: true,
      controllers: true,
      enableAdmissionPlugins: ['ServiceAccount'],
      clock,
      podStreams: await streamsOf(() => workloads),
      onRequest,
      ...(data !== undefined && { data, onWarning }),
    });
    try {
      const connection = { ...server.connection, exchange: server.exchange.bind(server) };
      workloads = await runWorkloads(server, 1, clock);
      return new EmbeddedCluster(server, connection, workloads);
    } catch (error) {
      await server.stop();
      throw error;
    }
  }

  get url(): string {
    return this.#server.url;
  }

  readonly read = async (path: string): Promise<unknown> => (await send(this.connection, 'GET', path)).body;

  /** That of the administrator, as YAML. */
  get kubeconfig(): string {
    return renderKubeconfig(this.#server.connection, 'ots-dev');
  }

  /** Breaks the pods on its node. */
  get failures(): NonNullable<Workloads['failures']> {
    return this.#workloads.failures!;
  }

  /** A kubeconfig for a ServiceAccount, which is valid as long as the session, however far its time moves. */
  async kubeconfigFor(account: { namespace: string; serviceAccount: string }): Promise<string> {
    const { server, caData } = this.#server.connection;
    const token = await requestToken(this.connection, account, maxTokenSeconds);
    return renderKubeconfig({ server, ...(caData !== undefined && { caData }), token }, 'ots-dev');
  }

  async serveWebhooks(endpoint: ServiceEndpoint): Promise<void> {
    await this.#services.set('*', endpoint);
  }

  async install(
    directory: string,
    include?: (object: KubernetesObject) => boolean,
  ): Promise<KubernetesObject[]> {
    const installed = await installManifests(this.connection, directory, { ...(include && { include }) });
    await this.#services.apply();
    return installed;
  }

  snapshot(): ReturnType<ApiServer['snapshot']> {
    return this.#server.snapshot();
  }

  async restore(snapshot: ReturnType<ApiServer['snapshot']>): Promise<void> {
    await this.#server.restore(snapshot);
  }

  async stop(): Promise<void> {
    await this.#workloads.stop();
    await this.#server.stop();
  }
}
