import { type Clock, systemClock } from 'ots-apimachinery/clock/clock';
import type { CertificatePair } from 'ots-apimachinery/certificates/certificate-pair';
import { type OptionalPlugin, createAdmission } from './admission/plugins.ts';
import { Authenticator } from './authentication/authenticator.ts';
import { ClientCertificates } from './authentication/client-certificates.ts';
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
import { type Handlers, HttpListener } from './http/http-listener.ts';
import { type ExchangeRequest, type ExchangeResponse, LocalExchange } from './http/local-exchange.ts';
import type { RequestObserver } from './http/recorded-request.ts';
import { RequestHandler } from './http/request-handler.ts';
import { builtInResources } from './built-in/built-in-resources.ts';
import { nodeRules } from './built-in/cluster/bootstrap-objects.ts';
import { createInitialObjects } from './built-in/cluster/create-initial-objects.ts';
import { createKubernetesService } from './built-in/core/create-kubernetes-service.ts';
import { createRandom } from './random/random.ts';
import { createOwnObject } from './registry/create.ts';
import type { Machinery } from './registry/machinery.ts';
import { ResourceRegistry } from './registry/resource-registry.ts';
import { Expiry } from './storage/expiry.ts';
import { Store } from './storage/store.ts';
import type { Connection } from './client/connection.ts';
import { renderKubeconfig } from './client/kubeconfig.ts';
import { ServiceEndpoints } from './webhooks/service-endpoints.ts';
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
  /** Where the Services listen that webhooks name. */
  readonly services: ServiceEndpoints;
  readonly #exchange: LocalExchange;
  readonly #listener: HttpListener;
  readonly #users: readonly TokenUser[];
  readonly #certificates: ServerCertificates;
  readonly #openTls: () => Promise<HttpListener>;
  readonly #stopWork: () => void;
  #tlsListener: Promise<HttpListener> | undefined;

  private constructor(
    listener: HttpListener,
    connection: Connection,
    rest: {
      exchange: LocalExchange;
      users: readonly TokenUser[];
      services: ServiceEndpoints;
      certificates: ServerCertificates;
      openTls: () => Promise<HttpListener>;
      stopWork: () => void;
    },
  ) {
    this.#exchange = rest.exchange;
    this.#users = rest.users;
    this.#listener = listener;
    this.services = rest.services;
    this.#certificates = rest.certificates;
    this.#openTls = rest.openTls;
    this.#stopWork = rest.stopWork;
    this.url = connection.server;
    this.connection = connection;
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
    const clock = new ServerClock(options.clock ?? systemClock);
    const now = () => new Date(clock.epoch());
    const certificates = new ServerCertificates(host, now, options.clientAuthority);
    const { machinery, services, stopWork } = createMachinery(options, { clock, now }, certificates);
    const handler = new RequestHandler(machinery, bookmarkInterval, options.onRequest);
    const handle: Handlers = {
      handle: (request, response) => void handler.handle(request, response),
      handleSocket: (request, socket) => handler.handleSocket(request, socket),
    };
    const openTls = (tlsPort: number) =>
      HttpListener.start(handle, { port: tlsPort, host, tls: certificates.forListener });
    try {
      const listener = await (options.tls ? openTls(port) : HttpListener.start(handle, { port, host }));
      const connection = {
        server: reachableHost(listener.url),
        ...(options.tls && { caData: certificates.serving.cert }),
        ...credentialsOf(options, certificates),
      };
      createKubernetesService(machinery, connection.server);
      return new ApiServer(listener, connection, {
        exchange: new LocalExchange(handle.handle, new URL(connection.server).host),
        users: options.users ?? [],
        services,
        certificates,
        openTls: () => openTls(0),
        stopWork,
      });
    } catch (error) {
      stopWork();
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
    const { url } = await (this.#tlsListener ??= this.#openTls());
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

  /** Stops listening and ends every request and watch. All objects are lost. */
  async stop(): Promise<void> {
    this.#stopWork();
    this.#exchange.stop();
    const tlsListener = await this.#tlsListener?.catch(() => undefined);
    await Promise.all([this.#listener.stop(), tlsListener?.stop()]);
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

function createMachinery(
  {
    watchHistory = 10_000,
    enableAdmissionPlugins = [],
    controllers,
    token,
    users = [],
    tls,
    random: draw,
  }: ApiServerOptions,
  { clock, now }: { clock: ServerClock; now: () => Date },
  certificates: ServerCertificates,
): { machinery: Machinery; services: ServiceEndpoints; stopWork: () => void } {
  const random = createRandom(draw);
  const store = new Store({ changes: watchHistory, characters: historyCharacters }, clock);
  const registry = new ResourceRegistry(builtInResources(store, { clock, random }));
  const authorizer = new Authorizer(
    new NodeAuthorizer(new NodeRelations(registry), nodeRules),
    new RbacAuthorizer(new RoleBindings(registry)),
  );
  const tokens = new ServiceAccountTokens(registry, { now, random });
  const authenticator = new Authenticator({
    users: usersByToken(token, users),
    tokens,
    certificates: new ClientCertificates(() => certificates.clientAuthority.cert, now),
    withoutTls: token === undefined && users.length === 0 ? admin : anonymous,
  });
  const services = new ServiceEndpoints(registry);
  const context = { store, registry, authenticator, tokens, authorizer, clock, random, now };
  const machinery: Machinery = {
    ...context,
    admission: createAdmission(context, services, enableAdmissionPlugins),
  };
  const definitions = registry.find('apiextensions.k8s.io', 'v1', 'customresourcedefinitions');
  const namespaces = registry.find('', 'v1', 'namespaces');
  const events = registry.find('', 'v1', 'events');
  if (!definitions || !namespaces || !events)
    throw new Error('the table of built-in resources lacks those that the server needs');
  void new CrdController(machinery, definitions.table, services);
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
  return { machinery, services, stopWork };
}
