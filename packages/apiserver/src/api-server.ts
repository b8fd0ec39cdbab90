import { type Clock, systemClock } from 'ots-apimachinery/clock/clock';
import type { CertificatePair } from 'ots-apimachinery/certificates/certificate-pair';
import { type OptionalPlugin, createAdmission } from './admission/plugins.ts';
import { Authenticator } from './authentication/authenticator.ts';
import { ClientCertificates } from './authentication/client-certificates.ts';
import { SigningKey } from './authentication/signing-key.ts';
import { ServiceAccountTokens } from './authentication/service-account-tokens.ts';
import {
  type UserInfo,
  anonymous,
  authenticatedGroup,
  mastersGroup,
  systemUser,
} from './authentication/user-info.ts';
import { Authorizer } from './authorization/authorizer.ts';
import { NodeAuthorizer } from './authorization/node-authorizer.ts';
import { NodeRelations } from './authorization/node-relations.ts';
import { RbacAuthorizer } from './authorization/rbac-authorizer.ts';
import { RoleBindings } from './authorization/role-bindings.ts';
import { type Controllers, selectControllers } from './controllers/controllers.ts';
import { startControllers } from './controllers/start-controllers.ts';
import { ServerClock } from './clock/server-clock.ts';
import { CrdController } from './crd/crd-controller.ts';
import { Faults } from './faults/faults.ts';
import { type Handlers, HttpListener } from './http/http-listener.ts';
import { type ExchangeRequest, type ExchangeResponse, LocalExchange } from './http/local-exchange.ts';
import type { RequestObserver } from './http/recorded-request.ts';
import { RequestHandler } from './http/request-handler.ts';
import { builtInResources } from './built-in/built-in-resources.ts';
import { nodeRules } from './built-in/cluster/bootstrap-objects.ts';
import { createInitialObjects } from './built-in/cluster/create-initial-objects.ts';
import { createKubernetesService } from './built-in/core/create-kubernetes-service.ts';
import type { PodStreams } from './pods/pod-streams.ts';
import { createRandom } from './random/random.ts';
import { createOwnObject } from './registry/create.ts';
import type { Machinery } from './registry/machinery.ts';
import type { Resource } from './registry/resource.ts';
import { ResourceRegistry } from './registry/resource-registry.ts';
import { Expiry } from './storage/expiry.ts';
import type { Snapshot } from './storage/snapshot.ts';
import { Store } from './storage/store.ts';
import type { Connection } from './client/connection.ts';
import { renderKubeconfig } from './client/kubeconfig.ts';
import { type ServiceEndpoint, ServiceEndpoints } from './webhooks/service-endpoints.ts';
import type { CertifiedUser } from './tls/client-authority.ts';
import { ServerCertificates } from './tls/server-certificates.ts';
import { reachableHost } from './tls/serving-certificate.ts';

/** A user who sends a bearer token. */
export interface TokenUser {
  readonly token: string;
  readonly name: string;
  readonly uid?: string;
  /** Besides `system:authenticated`, which every user is in. */
  readonly groups: readonly string[];
}

/** Options of {@link ApiServer.start}. */
export interface ApiServerOptions {
  /** The port. Default 0: a free one. */
  port?: number;
  /**
   * The address to listen on. Default `127.0.0.1`. Without a `token` a client without credentials is the administrator:
   * then keep the server on a loopback address.
   */
  host?: string;
  /** Whether to serve TLS, with a certificate created at start. Default false. */
  tls?: boolean;
  /**
   * The bearer token of the administrator. A client without credentials is then `system:anonymous`, who may hardly do
   * anything. Default: none. With `tls` the administrator has a client certificate instead, and a client without
   * credentials is `system:anonymous`, too.
   */
  token?: string;
  /** Users with tokens, in addition to the administrator. A client without credentials is then `system:anonymous`. Default: none. */
  users?: readonly TokenUser[];
  /** The authority that signs the certificates of clients, in PEM. It must not sign other authorities. Default: created on first use. */
  clientAuthority?: CertificatePair;
  /** Which controllers run beside the server. Default: all but those of ServiceAccounts and root certificates. */
  controllers?: Controllers;
  /**
   * Plugins of admission that are off by default. `ServiceAccount` gives every pod a ServiceAccount, which must exist, and a
   * token volume: it needs the controller `serviceAccounts`, or ServiceAccounts that you create.
   * `OwnerReferencesPermissionEnforcement` requires rights on owners. Default: none.
   */
  enableAdmissionPlugins?: readonly OptionalPlugin[];
  /** How many changes of each resource a watch can resume from at least, unless their objects are very large. Default 10000. */
  watchHistory?: number;
  /** Milliseconds between the bookmarks of a watch. Default 60000. */
  bookmarkInterval?: number;
  /** Receives every request when its response begins. It must not throw. Default: none, which costs nothing. */
  onRequest?: RequestObserver;
  /**
   * The clock of the cluster: the times in objects, and when something expires, ends or is tried again. Connections and calls of
   * webhooks have real time in any case. Default: the system's.
   */
  clock?: Clock;
  /**
   * Returns a number in [0, 1), from which the server derives UIDs, generated names, addresses and ports. Keys, signatures and the
   * IDs of HTTP responses are never derived from it. Default: chance that cannot be predicted.
   */
  random?: () => number;
  /** Answers for the kubelets of pods. Default: none, and the server cannot reach any node. */
  podStreams?: PodStreams;
}

/** The user of the server's own credentials, and of a server that requires none. */
const admin: UserInfo = { name: 'admin', uid: 'admin', groups: [mastersGroup, authenticatedGroup] };

const initialNamespaces = ['default', 'kube-node-lease', 'kube-public', 'kube-system'];

/** How long Events are kept after their last change, in milliseconds. */
const eventLifetime = 3_600_000;

/** The maximum history per resource in characters of JSON, so large objects that change often do not fill the memory. */
const historyCharacters = 32 * 1024 * 1024;

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
      exchange: LocalExchange;
      users: readonly TokenUser[];
      certificates: ServerCertificates;
      cluster: CurrentCluster;
      listen: (port: number, secure: boolean) => Promise<HttpListener>;
      isSecure: boolean;
    },
  ) {
    this.faults = rest.faults;
    this.#exchange = rest.exchange;
    this.#users = rest.users;
    this.#listener = listener;
    this.#certificates = rest.certificates;
    this.#cluster = rest.cluster;
    this.#listen = rest.listen;
    this.#isSecure = rest.isSecure;
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
   */
  static async start(options: ApiServerOptions = {}): Promise<ApiServer> {
    const { port = 0, host = '127.0.0.1', bookmarkInterval = 60_000 } = options;
    const { clock = systemClock, tls: isSecure = false } = options;
    const now = () => new Date(clock.epoch());
    const certificates = new ServerCertificates(host, now, options.clientAuthority);
    const lasting = { certificates, signingKey: new SigningKey(), endpoints: new Map(), clock, now };
    const run = (snapshot?: Snapshot) => {
      const { machinery, ...rest } = createMachinery(options, lasting, snapshot);
      return {
        ...rest,
        machinery,
        handler: new RequestHandler(machinery, { bookmarkInterval, faults, observer: options.onRequest }),
      };
    };
    const faults: Faults = new Faults(() => cluster.running.machinery, clock);
    const cluster: CurrentCluster = { running: run(), run };
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
        exchange: new LocalExchange(handle.handle, new URL(connection.server).host),
        users: options.users ?? [],
        certificates,
        cluster,
        listen,
        isSecure,
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

  /** All objects as they are now. It costs one reference per object. */
  snapshot(): Snapshot {
    return this.#cluster.running.machinery.store.snapshot();
  }

  /**
   * Returns to a snapshot of this server: all objects, with their resource versions, and everything that follows from them. The
   * counter of resource versions does not go back, so a version never means two states: every watch receives what has happened
   * and ends with 410 Expired, and no watch or list can resume from before, so informers list again. A request that has not
   * written yet gets 503. Time does not go back, and Events live their full time again.
   */
  restore(snapshot: Snapshot): Promise<void> {
    return this.#inTurn(() => {
      const { store } = this.#cluster.running.machinery;
      const revision = Math.max(store.revision, snapshot.revision) + 1;
      this.#close();
      this.#cluster.running = this.#cluster.run({ ...snapshot, revision });
      return Promise.resolve();
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
      this.#cluster.running = this.#cluster.run(snapshot);
      this.#exchange.resume();
      this.#listener = await this.#listen(port, this.#isSecure);
      if (securePort === undefined) return;
      this.#tlsListener = this.#listen(securePort, true);
      await this.#tlsListener;
    });
  }

  /** Stops listening and ends every request and watch. All objects are lost. */
  async stop(): Promise<void> {
    await this.#transition;
    this.#isStopped = true;
    this.#cluster.running.stopWork();
    this.#exchange.stop();
    const tlsListener = await this.#tlsListener?.catch(() => undefined);
    await Promise.all([this.#listener.stop(), tlsListener?.stop()]);
    this.faults.clear();
  }

  async #inTurn(act: () => Promise<void>): Promise<void> {
    const turn = this.#transition.then(() => {
      if (this.#isStopped) throw new Error('the server is stopped');
      return act();
    });
    this.#transition = turn.catch(() => undefined);
    await turn;
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

/** The credentials of the administrator. Without TLS a client needs none. */
function credentialsOf(
  { token, tls }: ApiServerOptions,
  certificates: ServerCertificates,
): Pick<Connection, 'token' | 'certData' | 'keyData'> {
  if (token !== undefined) return { token };
  return tls ? certificates.issueFor({ name: admin.name, groups: [mastersGroup] }) : {};
}

/** @param token that of the administrator */
function usersByToken(token: string | undefined, users: readonly TokenUser[]): Map<string, UserInfo> {
  const found = new Map<string, UserInfo>(users.map(({ token: sent, ...user }) => [sent, user]));
  if (token !== undefined) found.set(token, admin);
  return found;
}

/** What a server keeps when it restarts or returns to a snapshot. */
interface Lasting {
  readonly certificates: ServerCertificates;
  readonly signingKey: SigningKey;
  /** Where Services listen. */
  readonly endpoints: Map<string, ServiceEndpoint>;
  readonly clock: Clock;
  readonly now: () => Date;
}

/**
 * All objects of a server and everything that follows them: controllers, indexes, caches, served kinds. A restart or a snapshot
 * replaces it as a whole, so none of them needs a way back.
 */
interface Cluster {
  readonly machinery: Machinery;
  readonly services: ServiceEndpoints;
  readonly handler: RequestHandler;
  readonly stopWork: () => void;
}

interface CurrentCluster {
  running: Cluster;
  /** Builds a new cluster, or that of a snapshot. */
  readonly run: (snapshot?: Snapshot) => Cluster;
}

function createMachinery(
  {
    watchHistory = 10_000,
    enableAdmissionPlugins = [],
    controllers,
    token,
    users = [],
    tls,
    random: draw,
    podStreams,
  }: ApiServerOptions,
  { certificates, signingKey, endpoints, clock: systemTime, now }: Lasting,
  snapshot: Snapshot | undefined,
): Pick<Cluster, 'machinery' | 'services' | 'stopWork'> {
  const clock = new ServerClock(systemTime);
  const random = createRandom(draw);
  const history = { changes: watchHistory, characters: historyCharacters };
  const store = new Store(history, clock, snapshot?.revision);
  const registry = new ResourceRegistry(builtInResources(store, { clock, random }));
  const authorizer = new Authorizer(
    new NodeAuthorizer(new NodeRelations(registry), nodeRules),
    new RbacAuthorizer(new RoleBindings(registry)),
  );
  const tokens = new ServiceAccountTokens(registry, { now, random, signingKey });
  const authenticator = new Authenticator({
    users: usersByToken(token, users),
    tokens,
    certificates: new ClientCertificates(() => certificates.clientAuthority.cert, now),
    withoutTls: token === undefined && users.length === 0 ? admin : anonymous,
  });
  const services = new ServiceEndpoints(registry, endpoints);
  const context = { store, registry, authenticator, tokens, authorizer, clock, random, now, podStreams };
  const machinery: Machinery = {
    ...context,
    admission: createAdmission(context, services, enableAdmissionPlugins),
  };
  const definitions = registry.find('apiextensions.k8s.io', 'v1', 'customresourcedefinitions');
  const namespaces = registry.find('', 'v1', 'namespaces');
  const events = registry.find('', 'v1', 'events');
  if (!definitions || !namespaces || !events)
    throw new Error('the table of built-in resources lacks those that the server needs');
  const crds = new CrdController(machinery, definitions.table, services);
  const selected = selectControllers(controllers);
  const stopControllers = startControllers(machinery, selected, {
    root: tls ? certificates.serving.cert : '',
    clientAuthority: () => certificates.clientAuthority,
  });
  const expiry = new Expiry(events.table, eventLifetime, clock);
  const stopWork = () => {
    stopControllers();
    expiry.stop();
    clock.stop();
  };
  if (snapshot) store.load(snapshot, () => crds.defineStored());
  else createInitial(machinery, namespaces);
  return { machinery, services, stopWork };
}

function createInitial(machinery: Machinery, namespaces: Resource): void {
  for (const name of initialNamespaces) {
    const target = { resource: namespaces, namespace: '', name, subresource: '' };
    createOwnObject(
      machinery,
      target,
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name } },
      { user: systemUser, dryRun: false },
    );
  }
  createInitialObjects(machinery);
}
