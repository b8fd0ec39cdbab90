import { systemClock } from 'ots-apimachinery/clock/clock';
import { SigningKey } from './authentication/signing-key.ts';
import { mastersGroup } from './authentication/user-info.ts';
import { Faults } from './faults/faults.ts';
import { type Handlers, HttpListener } from './http/http-listener.ts';
import type { ExchangeResponse } from './http/local-connection.ts';
import { type CallResponse, type ExchangeRequest, LocalExchange } from './http/local-exchange.ts';
import { RequestHandler } from './http/request-handler.ts';
import { type LeaseRenewal, renewLease, requestFor } from './built-in/cluster/renew-lease.ts';
import { createKubernetesService } from './built-in/core/create-kubernetes-service.ts';
import type { DataDirectory } from './storage/persistence/data-directory.ts';
import type { Snapshot } from './storage/snapshot.ts';
import { type MirrorReader, type MirroredResource, Mirrors } from './watch/mirrors.ts';
import type { Connection } from './client/connection.ts';
import { renderKubeconfig } from './client/kubeconfig.ts';
import type { ServiceEndpoints } from './webhooks/service-endpoints.ts';
import type { CertifiedUser } from './tls/client-authority.ts';
import { ServerCertificates } from './tls/server-certificates.ts';
import { reachableHost } from './tls/serving-certificate.ts';
import type { ApiServerOptions, TokenUser } from './api-server-options.ts';
import { type Cluster, admin, createCluster, initialState } from './cluster.ts';

interface ServedCluster extends Cluster {
  readonly handler: RequestHandler;
}

interface CurrentCluster {
  running: ServedCluster;
  /** Builds a new cluster, or that of a snapshot. */
  readonly run: (snapshot?: Snapshot) => ServedCluster;
}

/**
 * A Kubernetes API server in this process, in memory. It serves the built-in kinds of Kubernetes 1.36 and custom
 * resources. It knows who clients are and what they may do; decodes, defaults, admits and validates objects like
 * kube-apiserver. The README of this package lists what it does not do. It refuses what is not supported like a real
 * server.
 */
export class ApiServer {
  /** Such as `http://127.0.0.1:34567`. */
  readonly url: string;
  /** How clients connect: URL, token and certificate. */
  readonly connection: Connection;
  /** Makes the server fail. */
  readonly faults: Faults;
  readonly #exchange: LocalExchange;
  readonly #users: readonly TokenUser[];
  readonly #certificates: ServerCertificates;
  readonly #cluster: CurrentCluster;
  readonly #listen: (port: number, secure: boolean) => Promise<HttpListener>;
  readonly #isSecure: boolean;
  readonly #data: DataDirectory | undefined;
  readonly #mirrors: Mirrors;
  #listener: HttpListener;
  #tlsListener: Promise<HttpListener> | undefined;
  /** The last change between running, restarting and stopped. They happen one after the other. */
  #transition: Promise<unknown> = Promise.resolve();
  #isStopped = false;

  private constructor(
    listener: HttpListener,
    connection: Connection,
    rest: {
      faults: Faults;
      mirrors: Mirrors;
      exchange: LocalExchange;
      users: readonly TokenUser[];
      certificates: ServerCertificates;
      cluster: CurrentCluster;
      listen: (port: number, secure: boolean) => Promise<HttpListener>;
      isSecure: boolean;
      data: DataDirectory | undefined;
    },
  ) {
    this.faults = rest.faults;
    this.#mirrors = rest.mirrors;
    this.#exchange = rest.exchange;
    this.#users = rest.users;
    this.#listener = listener;
    this.#certificates = rest.certificates;
    this.#cluster = rest.cluster;
    this.#listen = rest.listen;
    this.#isSecure = rest.isSecure;
    this.#data = rest.data;
    this.url = connection.server;
    this.connection = connection;
  }

  /** Where the Services listen that webhooks name. A restart or a snapshot does not change it. */
  get services(): ServiceEndpoints {
    return this.#cluster.running.services;
  }

  /**
   * {@link connection} as a kubeconfig (YAML) for kubectl and other tools. Its context is `ots-apiserver`. Each of the `users` has a
   * context such as `jane@ots-apiserver`.
   */
  get kubeconfig(): string {
    return renderKubeconfig(this.connection, 'ots-apiserver', this.#users);
  }

  /**
   * Starts a server.
   *
   * @throws the error of the operating system when it cannot listen, such as EADDRINUSE
   * @throws {DataError} when `data` is in use, damaged or cannot be written
   */
  static async start(options: ApiServerOptions = {}): Promise<ApiServer> {
    const data = await openData(options);
    try {
      return await ApiServer.#start(options, data);
    } catch (error) {
      await data?.close();
      throw error;
    }
  }

  static async #start(options: ApiServerOptions, data: DataDirectory | undefined): Promise<ApiServer> {
    const { port = 0, host = '127.0.0.1', bookmarkInterval = 60_000 } = options;
    const { clock = systemClock, tls: isSecure = false } = options;
    const now = () => new Date(clock.epoch());
    const keep = data && data.keep.bind(data);
    const certificates = new ServerCertificates(host, now, options.clientAuthority, keep);
    const signingKey = new SigningKey(keep);
    const lasting = { certificates, signingKey, endpoints: new Map(), clock, now, persistence: data };
    // With a data directory these exist from the start, so damaged ones are found then.
    if (data) void [certificates.clientAuthority, signingKey.keys];
    const initial = data?.recovered ?? options.snapshot ?? (data && initialState(options, lasting));
    if (data && initial) await data.begin(initial);
    const run = (snapshot?: Snapshot) => {
      const built = createCluster(options, lasting, snapshot);
      return {
        ...built,
        handler: new RequestHandler(built.machinery, {
          bookmarkInterval,
          faults,
          observer: options.onRequest,
        }),
      };
    };
    const faults: Faults = new Faults(() => cluster.running.machinery, clock);
    const cluster: CurrentCluster = { running: run(initial), run };
    const handle: Handlers = {
      handle: (request, response) => void cluster.running.handler.handle(request, response),
      handleSocket: (request, socket) => cluster.running.handler.handleSocket(request, socket),
    };
    const listen = (at: number, secure: boolean) =>
      HttpListener.start(handle, { port: at, host, ...(secure && { tls: certificates.forListener }) });
    try {
      const listener = await listen(port, isSecure);
      const connection = {
        server: reachableHost(listener.url),
        ...(isSecure && { caData: certificates.serving.cert }),
        ...credentialsOf(options, certificates),
      };
      createKubernetesService(cluster.running.machinery, connection.server);
      return new ApiServer(listener, connection, {
        faults,
        mirrors: new Mirrors(faults, () => cluster.running.machinery),
        exchange: new LocalExchange(() => cluster.running.handler, new URL(connection.server).host),
        users: options.users ?? [],
        certificates,
        cluster,
        listen,
        isSecure,
        data,
      });
    } catch (error) {
      cluster.running.stopWork();
      throw error;
    }
  }

  /**
   * How to reach the server over TLS, without credentials. A server that listens without TLS also listens with it from the first
   * call on, on another free port: kubectl and other clients send credentials over TLS only. Clients there need credentials.
   */
  async secureConnection(): Promise<Pick<Connection, 'server' | 'caData'>> {
    const { server, caData } = this.connection;
    if (caData !== undefined) return { server, caData };
    const { url } = await (this.#tlsListener ??= this.#listen(0, true));
    return { server: reachableHost(url), caData: this.#certificates.serving.cert };
  }

  /** Issues a client certificate for a user, who need not exist anywhere. It is valid for one year, over TLS only. */
  issueCertificate(user: CertifiedUser): Pick<Connection, 'certData' | 'keyData'> {
    return this.#certificates.issueFor(user);
  }

  /**
   * Answers a request without a network, as over plain HTTP: with the same bytes, and for the same user.
   *
   * @returns the response when its head is complete
   * @throws the reason of the signal when it aborts before; an error with the code `ECONNRESET` when the server ends the
   *   connection before, and `ECONNREFUSED` after {@link stop}
   */
  exchange(request: ExchangeRequest): Promise<ExchangeResponse> {
    return this.#exchange.answer(request);
  }

  /**
   * Answers a request as {@link exchange} does, without headers, audit and turns of the event loop that only a network needs.
   *
   * @returns undefined, with nothing done, if that would differ: the server has stopped, requests are recorded, a fault changes this
   *   one, or the response takes time, as that of a watch does
   * @throws the reason of the signal when it is aborted
   */
  call(request: ExchangeRequest): Promise<CallResponse | undefined> {
    return this.#exchange.call(request);
  }

  /**
   * Renews a Lease in the name of a client in this process, without a request. It costs a small part of one.
   *
   * @returns false, with nothing done, if that would differ from a request: the Lease does not exist, another manager owns
   *   `spec.renewTime`, or a fault changes the patch that a client would send
   */
  renewLease(renewal: LeaseRenewal): boolean {
    return !this.faults.select(requestFor(renewal)) && renewLease(this.#cluster.running.machinery, renewal);
  }

  /**
   * Shows all objects of a built-in resource to a reader in this process, at once, and then each change, without requests.
   *
   * @returns what ends that; undefined, with nothing done, for other resources, and where a fault changes lists or watches of the
   *   administrator
   */
  mirror(resource: MirroredResource, reader: MirrorReader): (() => void) | undefined {
    return this.#mirrors.open(admin.name, resource, reader);
  }

  /** All objects as they are now. It costs one reference per object. */
  snapshot(): Snapshot {
    return this.#cluster.running.snapshot();
  }

  /**
   * Returns to a snapshot of this server: all objects, with their resource versions, and everything that follows from them. The
   * counter of resource versions does not go back, so a version never means two states: every watch receives what has happened
   * and ends with 410 Expired, and no watch or list can resume from before, so informers list again. A request that has not
   * written yet gets 503. Time does not go back, and Events live their full time again.
   *
   * @throws {DataError} when the data directory cannot be written; the server then continues with the objects that it has
   */
  restore({ revision: taken, tables }: Snapshot): Promise<void> {
    return this.#inTurn(async () => {
      const before = this.snapshot();
      const revision = Math.max(before.revision, taken) + 1;
      let next = before;
      this.#close();
      try {
        if (this.#data) await this.#data.begin({ tables, revision });
        next = { tables, revision };
      } finally {
        this.#run(next);
      }
    });
  }

  /**
   * Stops like a server that ends, dropping every connection, and starts again at the same URL with the same objects and
   * credentials. As after a restart of kube-apiserver, no watch resumes from before the current resource version.
   *
   * @throws the error of the operating system when it cannot listen again
   */
  restart(): Promise<void> {
    return this.#inTurn(async () => {
      const secure = await this.#tlsListener?.catch(() => undefined);
      const [port, securePort] = [this.#listener.port, secure?.port];
      const snapshot = this.snapshot();
      this.#exchange.stop();
      const stopped = Promise.all([this.#listener.stop(), secure?.stop()]);
      this.#close();
      await stopped;
      this.#run(snapshot);
      this.#exchange.resume();
      this.#listener = await this.#listen(port, this.#isSecure);
      if (securePort === undefined) return;
      this.#tlsListener = this.#listen(securePort, true);
      await this.#tlsListener;
    });
  }

  /** Stops listening and ends every request and watch. All objects are lost, except those in a data directory. */
  async stop(): Promise<void> {
    await this.#transition;
    this.#isStopped = true;
    this.#cluster.running.stopWork();
    this.#exchange.stop();
    const tlsListener = await this.#tlsListener?.catch(() => undefined);
    await Promise.all([this.#listener.stop(), tlsListener?.stop()]);
    this.faults.clear();
    await this.#data?.close();
  }

  async #inTurn(act: () => Promise<void>): Promise<void> {
    const turn = this.#transition.then(() => {
      if (this.#isStopped) throw new Error('the server is stopped');
      return act();
    });
    this.#transition = turn.catch(() => undefined);
    await turn;
  }

  #run(snapshot: Snapshot): void {
    this.#cluster.running = this.#cluster.run(snapshot);
    this.#mirrors.restarted();
  }

  /** Ends the work of the current cluster. Its store no longer changes. */
  #close(): void {
    const { machinery, stopWork } = this.#cluster.running;
    machinery.store.close();
    stopWork();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }
}

/** Loaded on demand: most servers keep nothing. */
async function openData({ data, onWarning }: ApiServerOptions): Promise<DataDirectory | undefined> {
  if (data === undefined) return undefined;
  const { DataDirectory } = await import('./storage/persistence/data-directory.ts');
  return DataDirectory.open(data, { warn: onWarning ?? ((message) => process.emitWarning(message)) });
}

/** The credentials of the administrator. Without TLS a client needs none. */
function credentialsOf(
  { token, tls }: ApiServerOptions,
  certificates: ServerCertificates,
): Pick<Connection, 'token' | 'certData' | 'keyData'> {
  if (token !== undefined) return { token };
  return tls ? certificates.issueFor({ name: admin.name, groups: [mastersGroup] }) : {};
}
