import type { Clock } from 'ots-apimachinery/clock/clock';
import { createAdmission } from './admission/plugins.ts';
import { Authenticator } from './authentication/authenticator.ts';
import { ClientCertificates } from './authentication/client-certificates.ts';
import type { SigningKey } from './authentication/signing-key.ts';
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
import { selectControllers } from './controllers/controllers.ts';
import { startControllers } from './controllers/start-controllers.ts';
import { ServerClock } from './clock/server-clock.ts';
import { CrdController } from './crd/crd-controller.ts';
import { builtInResources } from './built-in/built-in-resources.ts';
import { nodeRules } from './built-in/cluster/bootstrap-objects.ts';
import { createInitialObjects } from './built-in/cluster/create-initial-objects.ts';
import { createRandom } from './random/random.ts';
import { createOwnObject } from './registry/create.ts';
import type { Machinery } from './registry/machinery.ts';
import type { Resource } from './registry/resource.ts';
import { ResourceRegistry } from './registry/resource-registry.ts';
import { Expiry } from './storage/expiry.ts';
import type { Persistence } from './storage/persistence.ts';
import type { Snapshot } from './storage/snapshot.ts';
import { Store } from './storage/store.ts';
import { type ServiceEndpoint, ServiceEndpoints } from './webhooks/service-endpoints.ts';
import type { ServerCertificates } from './tls/server-certificates.ts';
import type { ApiServerOptions, TokenUser } from './api-server-options.ts';

/** The user of the server's own credentials, and of a server that requires none. */
export const admin: UserInfo = { name: 'admin', uid: 'admin', groups: [mastersGroup, authenticatedGroup] };

const initialNamespaces = ['default', 'kube-node-lease', 'kube-public', 'kube-system'];

/** How long Events are kept after their last change, in milliseconds. */
const eventLifetime = 3_600_000;

/** The maximum history per resource in characters of JSON, so large objects that change often do not fill the memory. */
const historyCharacters = 32 * 1024 * 1024;

/** What a server keeps when it restarts or returns to a snapshot. */
export interface Lasting {
  readonly certificates: ServerCertificates;
  readonly signingKey: SigningKey;
  /** Where Services listen. */
  readonly endpoints: Map<string, ServiceEndpoint>;
  readonly clock: Clock;
  readonly now: () => Date;
  readonly persistence: Persistence | undefined;
}

/**
 * All objects of a server and everything that follows them: controllers, indexes, caches, served kinds. A restart or a snapshot
 * replaces it as a whole, so none of them needs a way back.
 */
export interface Cluster {
  readonly machinery: Machinery;
  readonly services: ServiceEndpoints;
  /** All objects as they are now. */
  readonly snapshot: () => Snapshot;
  /** Ends the work of controllers and timers. */
  readonly stopWork: () => void;
}

/**
 * Builds a cluster.
 *
 * @param snapshot its objects; undefined for those of a new server
 */
export function createCluster(
  {
    watchHistory = 10_000,
    enableAdmissionPlugins = [],
    enableFeatureGates = [],
    controllers,
    token,
    users = [],
    tls,
    random: draw,
    podStreams,
    onOwnWrite,
  }: ApiServerOptions,
  { certificates, signingKey, endpoints, clock: systemTime, now, persistence }: Lasting,
  snapshot: Snapshot | undefined,
): Cluster {
  const clock = new ServerClock(systemTime);
  const random = createRandom(draw);
  const history = { changes: watchHistory, characters: historyCharacters };
  const store = new Store(history, clock, snapshot?.revision, persistence);
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
  const context = {
    store,
    registry,
    authenticator,
    tokens,
    authorizer,
    clock,
    random,
    now,
    podStreams,
    onOwnWrite,
    hasShardSelectors: enableFeatureGates.includes('ShardedListAndWatch'),
  };
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
  else createInitial({ ...machinery, onOwnWrite: undefined }, namespaces);
  if (snapshot?.deadlines) expiry.resume(snapshot.deadlines);
  const takeSnapshot = () => ({ ...store.snapshot(), deadlines: expiry.deadlines });
  return { machinery, services, snapshot: takeSnapshot, stopWork };
}

/** The objects of a new server. They are stored together, so no server continues with some of them. */
export function initialState(options: ApiServerOptions, lasting: Lasting): Snapshot {
  const cluster = createCluster(options, { ...lasting, persistence: undefined }, undefined);
  cluster.stopWork();
  return cluster.snapshot();
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

/** @param token that of the administrator */
function usersByToken(token: string | undefined, users: readonly TokenUser[]): Map<string, UserInfo> {
  const found = new Map<string, UserInfo>(users.map(({ token: sent, ...user }) => [sent, user]));
  if (token !== undefined) found.set(token, admin);
  return found;
}
