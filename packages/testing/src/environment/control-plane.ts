import {
  ApiServer,
  type CertifiedUser,
  type Connection,
  type Controllers,
  type FeatureGate,
  type OptionalPlugin,
  type ServiceMap,
} from 'ots-apiserver';
import type { ConnectionConfig } from 'ots-runtime';
import type { Choose } from '../simulation/delivery.ts';
import type { Simulation } from '../simulation/simulation.ts';
import { withoutBookmarks } from '../simulation/without-bookmarks.ts';
import { withoutEvents } from '../simulation/without-events.ts';
import { besideServer } from '../workloads/beside-server.ts';
import { latePodStreams } from '../workloads/late-pod-streams.ts';
import { mirrorOf } from '../workloads/mirror-of.ts';
import type { WorkloadFailures } from '../workloads/failures/workload-failures.ts';
import type { Carry, ClusterNetwork } from '../workloads/network/cluster-network.ts';
import type { Workloads } from '../workloads/start-workloads.ts';
import type { WorkloadMemory } from '../workloads/workload-context.ts';
import type { RenewLease } from '../workloads/nodes/node-context.ts';
import type { NodeStates } from '../workloads/nodes/node-states.ts';
import type { WorkloadOptions } from '../workloads/workload-options.ts';
import { TestMetrics } from '../metrics/test-metrics.ts';
import { EmbeddedServices } from '../services/embedded-services.ts';
import { RequestLog } from '../requests/request-log.ts';
import { type EnvironmentSnapshot, seedAfter } from './environment-snapshot.ts';

/** A certificate authority: its certificate and key in PEM. */
export interface CertificateAuthority {
  cert: string;
  key: string;
}

/** What a control plane starts with. */
export interface ControlPlaneOptions {
  controllers?: Controllers | undefined;
  enableAdmissionPlugins?: readonly OptionalPlugin[] | undefined;
  enableFeatureGates?: readonly FeatureGate[] | undefined;
  /** Signs the certificates of clients. Default: created. */
  clientAuthority?: CertificateAuthority | undefined;
  /** Whether to record requests. Default false. */
  recordRequests?: boolean | undefined;
  /** Whether the controllers of workloads run, and beside which nodes. Default false. */
  workloads?: boolean | WorkloadOptions | undefined;
  /** Whether time stands still until the test moves it. Default `system`. */
  clock?: 'system' | 'virtual' | undefined;
  /** Decides the order of what arrives at the same time. Default 1. */
  seed?: number | undefined;
  /** Decides what arrives next instead of the seed. */
  choose?: Choose | undefined;
  /** Whether nodes renew their Leases without requests in spite of `choose`, and simulated controllers do not log. Default false. */
  isExplored?: boolean | undefined;
  /** Whether Events of simulated components are stored. False has no effect where these send requests. Default true. */
  storesEvents?: boolean | undefined;
  /** The cluster that this one continues. Default: a new one. */
  from?: EnvironmentSnapshot | undefined;
}

/** A running API server, embedded or real. */
export interface ControlPlane {
  /** That of the administrator. */
  readonly connection: Connection &
    Pick<ConnectionConfig, 'clock' | 'random' | 'exchange' | 'track' | 'passTime'>;
  /** Where the Services listen that webhooks name. */
  readonly services: ServiceMap;
  /** How to reach the server over TLS, without credentials. */
  secureConnection(): Promise<Pick<Connection, 'server' | 'caData'>>;
  /** Issues a client certificate for a user. */
  issueCertificate(user: CertifiedUser): Pick<Connection, 'certData' | 'keyData'>;
  /** To be called when configurations of webhooks or definitions were installed. */
  installed(): Promise<void>;
  /** Snapshots, restarts and faults; undefined where the server is another program. */
  readonly state?: Pick<ApiServer, 'restore' | 'restart' | 'faults'> & {
    snapshot(): EnvironmentSnapshot;
  };
  /** The requests; undefined if they are not recorded. */
  readonly requests?: RequestLog | undefined;
  /** Makes pods and claims fail; undefined without simulated nodes. */
  readonly failures?: WorkloadFailures | undefined;
  /** Connects to simulated pods; undefined without simulated nodes. */
  readonly network?: ClusterNetwork | undefined;
  /** What autoscalers read; undefined where no workloads run. */
  readonly metrics?: TestMetrics | undefined;
  /** Owns time; undefined where time is real. */
  readonly simulation?: Simulation | undefined;
  /** The simulated nodes; undefined without any. */
  readonly nodes?: NodeStates | undefined;
  /** Stops the server and removes everything that it has written. */
  stop(): Promise<void>;
}

/** Starts an API server in this process. */
export async function startEmbedded({
  controllers = {},
  enableAdmissionPlugins = [],
  enableFeatureGates = [],
  clientAuthority,
  recordRequests,
  workloads = false,
  clock,
  seed = 1,
  choose,
  isExplored = false,
  storesEvents = true,
  from,
}: ControlPlaneOptions): Promise<ControlPlane> {
  const simulation = clock === 'virtual' ? await simulationOf(seed, choose, from) : undefined;
  const requests = recordRequests ? new RequestLog() : undefined;
  let running: Workloads | undefined;
  const server = await ApiServer.start({
    controllers,
    enableAdmissionPlugins,
    enableFeatureGates,
    ...(clientAuthority && { clientAuthority }),
    ...(from && { snapshot: from }),
    ...(simulation && {
      clock: simulation.clock,
      random: simulation.random,
      onOwnWrite: (write) => simulation.recordOwn(write),
    }),
    // Its kubelets start after the server that they need.
    ...(workloads !== false && { podStreams: latePodStreams(() => running?.podStreams) }),
    ...(requests && { onRequest: (request) => requests.add(request) }),
  });
  const connection = { ...server.connection, ...simulation?.connectionTo(server) };
  // What a test can see or decide of requests, it must see and decide.
  const isDecided = requests !== undefined || (choose !== undefined && !isExplored);
  const services = new EmbeddedServices(server, connection);
  const metrics = new TestMetrics(undefined, from?.metrics);
  running = workloads
    ? await startBeside(
        server,
        connectionOfComponents(server, connection, { simulation, isDecided, storesEvents }),
        {
          workloads,
          metrics,
          carry: simulation?.carry,
          memory: from?.workloads,
          isSilent: isExplored,
          renewLease: simulation && !isDecided ? (renewal) => server.renewLease(renewal) : undefined,
        },
      )
    : undefined;
  return {
    connection,
    simulation,
    services,
    installed: () => services.apply(),
    secureConnection: () => server.secureConnection(),
    issueCertificate: (user) => server.issueCertificate(user),
    state: {
      faults: server.faults,
      restore: (snapshot) => server.restore(snapshot),
      restart: () => server.restart(),
      snapshot: () => ({
        ...server.snapshot(),
        time: simulation?.clock.now(),
        workloads: running?.memory,
        metrics: metrics.memory,
      }),
    },
    requests,
    failures: running?.failures,
    network: running?.network,
    metrics: workloads ? metrics : undefined,
    nodes: running?.nodes,
    stop: async () => {
      const stopped = running?.stop() ?? Promise.resolve();
      // Faults may delay what the components have begun.
      await simulation?.passTime(stopped);
      await stopped;
      await server.stop();
    },
  };
}

/** What decides how components reach the server. */
interface Reach {
  readonly simulation: Simulation | undefined;
  /** Whether a test sees or decides their requests. */
  readonly isDecided: boolean;
  readonly storesEvents: boolean;
}

/** How the controllers, the scheduler and the kubelets reach the server of this process. */
function connectionOfComponents(
  server: ApiServer,
  connection: ConnectionConfig,
  { simulation, isDecided, storesEvents }: Reach,
): ConnectionConfig {
  const { mirror, call, ...asClient } = simulation
    ? simulated(server, connection, simulation, storesEvents)
    : besideServer(server);
  return isDecided ? asClient : { ...asClient, mirror, call };
}

function simulated(
  server: ApiServer,
  connection: ConnectionConfig,
  simulation: Simulation,
  storesEvents: boolean,
): ConnectionConfig {
  const call = simulation.callsTo(server);
  return {
    ...withoutBookmarks(connection),
    mirror: mirrorOf(server, simulation.arrivalOf),
    call: storesEvents ? call : withoutEvents(call),
  };
}

/** Loaded on demand: most tests have real time. */
async function simulationOf(
  seed: number,
  choose: Choose | undefined,
  from: EnvironmentSnapshot | undefined,
): Promise<Simulation> {
  const { Simulation } = await import('../simulation/simulation.ts');
  return new Simulation(from ? seedAfter(seed, from) : seed, choose, from?.time);
}

interface Beside {
  readonly workloads: true | WorkloadOptions;
  readonly metrics: TestMetrics;
  readonly carry: Carry | undefined;
  readonly memory: WorkloadMemory | undefined;
  readonly renewLease: RenewLease | undefined;
  readonly isSilent: boolean;
}

async function startBeside(
  server: ApiServer,
  connection: ConnectionConfig,
  { workloads, metrics, carry, memory, renewLease, isSilent }: Beside,
): Promise<Workloads> {
  // Loaded on demand: most tests run no workloads.
  const { startWorkloads } = await import('../workloads/start-workloads.ts');
  try {
    const { clock, random } = connection;
    const options = workloads === true ? {} : workloads;
    return await startWorkloads(connection, options, {
      metrics,
      isSilent,
      ...(carry && { carry }),
      ...(memory && { memory }),
      ...(renewLease && { renewLease }),
      ...(clock && { clock }),
      ...(random && { random }),
    });
  } catch (error) {
    await server.stop();
    throw error;
  }
}
