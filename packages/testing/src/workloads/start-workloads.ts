import { type Clock, systemClock } from 'ots-apimachinery/clock/clock';
import type { PodStreams } from 'ots-apiserver';
import { type ConnectionConfig, type Logger, Manager, createLogger } from 'ots-runtime';
import { TestMetrics } from '../metrics/test-metrics.ts';
import { Components, controllerManager } from './components.ts';
import { controllersBeside } from './controllers.ts';
import type { WorkloadFailures } from './failures/workload-failures.ts';
import type { Images } from './images/application.ts';
import { Kubelets } from './kubelet/kubelets.ts';
import { Heartbeats } from './nodes/heartbeats.ts';
import type { Carry, ClusterNetwork } from './network/cluster-network.ts';
import type { NodeContext, RenewLease } from './nodes/node-context.ts';
import { simulatedNodes } from './nodes/node-options.ts';
import type { NodeStates } from './nodes/node-states.ts';
import { addScheduler } from './scheduling/scheduler.ts';
import type { AddController, WorkloadMemory } from './workload-context.ts';
import { createDefaultClass } from './volumes/default-class.ts';
import { Provisioner } from './volumes/provisioner.ts';
import type { WorkloadOptions } from './workload-options.ts';

export { besideServer } from './beside-server.ts';
export { latePodStreams } from './late-pod-streams.ts';

/** The controllers of a cluster while they run. */
export interface Workloads {
  /** The kubelets of its nodes; undefined without nodes. */
  readonly podStreams: PodStreams | undefined;
  /** Makes the pods on its nodes and their claims fail; undefined without nodes. */
  readonly failures: WorkloadFailures | undefined;
  /** Connects to the pods on its nodes; undefined without nodes. */
  readonly network: ClusterNetwork | undefined;
  /** Its nodes; undefined without any. */
  readonly nodes: NodeStates | undefined;
  /** What it knows beside the objects. */
  readonly memory: WorkloadMemory;
  stop(): Promise<void>;
}

/** The parts of a cluster that a simulation replaces. */
export interface WorkloadDependencies {
  readonly clock?: Clock;
  /** A number in [0, 1). */
  readonly random?: () => number;
  /** Default: {@link controllersBeside} the nodes. None where kube-controller-manager runs. */
  readonly controllers?: readonly AddController[];
  /** What autoscalers read. Default: no metrics. */
  readonly metrics?: TestMetrics;
  /** Sends HTTP requests to applications. Default: at once. */
  readonly carry?: Carry;
  /** Renews the Leases of nodes. Default: requests do. */
  readonly renewLease?: RenewLease;
  /** That of another cluster, whose objects the server has. Default: none. */
  readonly memory?: WorkloadMemory;
  /** Whether the controllers do not log their errors, many of which are expected where a tool interferes. Default false. */
  readonly isSilent?: boolean;
}

/**
 * Starts the controllers of workloads, the scheduler and the kubelets beside an API server.
 *
 * @param connection that of the administrator
 * @throws {TestEnvironmentError} when an option is not valid
 */
export async function startWorkloads(
  connection: ConnectionConfig,
  { nodes: nodeOptions = 1, images = {} }: WorkloadOptions = {},
  {
    clock = systemClock,
    random = Math.random,
    controllers,
    metrics = new TestMetrics(),
    carry,
    renewLease,
    memory,
    isSilent = false,
  }: WorkloadDependencies = {},
): Promise<Workloads> {
  const nodes = simulatedNodes(nodeOptions);
  const logger = isSilent ? silent() : createLogger({ level: 'error' });
  const manager = await Manager.create(
    { connection, userAgent: controllerManager, logger, webhooks: false },
    { clock },
  );
  const parts = { manager, clock, random, logger, nodes, metrics, renewLease, memory };
  const components = new Components(connection, parts);
  for (const add of controllers ?? controllersBeside(nodes.length)) add(components);
  const applications = typeof images === 'function' ? images() : images;
  const kubelets = nodes.length > 0 ? await addNodes(components, applications, carry) : undefined;
  const running = manager.start();
  await manager.ready;
  return {
    podStreams: kubelets?.streams,
    failures: kubelets && components.failures,
    network: kubelets?.network,
    nodes: nodes.length > 0 ? components.nodeStates : undefined,
    get memory() {
      return components.memory;
    },
    stop: async () => {
      kubelets?.stop();
      await manager.stop();
      await running;
      await components.close();
    },
  };
}

let silentLogger: Logger | undefined;

/** One for all clusters: a tool that explores starts thousands. */
function silent(): Logger {
  return (silentLogger ??= createLogger({ level: 'silent' }));
}

/** A cluster without nodes has no scheduler either: tests bind pods. */
async function addNodes(context: NodeContext, images: Images, carry?: Carry): Promise<Kubelets> {
  // A test may have changed or deleted that of a cluster which goes on.
  const hasBegun = context.recall('nodes have begun', () => true);
  if (!hasBegun) await createDefaultClass(context.manager.client);
  const kubelets = new Kubelets(context, images, carry);
  const heartbeats = new Heartbeats(context);
  await heartbeats.register();
  heartbeats.add();
  addScheduler(context);
  kubelets.add();
  new Provisioner(context).add();
  return kubelets;
}
