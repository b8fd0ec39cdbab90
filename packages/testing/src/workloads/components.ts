import type { Clock } from 'ots-apimachinery/clock/clock';
import { Client, type ConnectionConfig, type Logger, type Manager, Transport } from 'ots-runtime';
import type { TestMetrics } from '../metrics/test-metrics.ts';
import { EventSink, type SinkMemory } from './event-sink.ts';
import { type AddedFailureMemory, WorkloadFailures } from './failures/workload-failures.ts';
import type { ComponentUser, EventSource, NodeContext, RenewLease } from './nodes/node-context.ts';
import type { SimulatedNode } from './nodes/node-options.ts';
import { type NodeMemory, NodeStates } from './nodes/node-states.ts';
import type { WorkloadMemory } from './workload-context.ts';

export const controllerManager = 'kube-controller-manager';

/** The parts that all components of a cluster use. */
interface Shared {
  readonly manager: Manager;
  readonly clock: Clock;
  /** A number in [0, 1). */
  readonly random: () => number;
  readonly logger: Logger;
  readonly nodes: readonly SimulatedNode[];
  readonly metrics: TestMetrics;
  /** Default: each renewal is a request. */
  readonly renewLease?: RenewLease | undefined;
  /** That of another cluster, which this one continues. Default: none. */
  readonly memory?: WorkloadMemory | undefined;
}

/** Gives the components of a cluster their clients and events, and closes them. */
export class Components implements NodeContext {
  readonly manager: Manager;
  readonly clock: Clock;
  readonly random: () => number;
  readonly nodes: ReadonlyMap<string, SimulatedNode>;
  readonly reader: Client;
  readonly metrics: TestMetrics;
  readonly nodeStates: NodeStates;
  readonly failures: WorkloadFailures;
  readonly renewLease: RenewLease;
  readonly #shared: Shared;
  readonly #connection: ConnectionConfig;
  readonly #clients = new Map<string, Client>();
  readonly #transports: Transport[] = [];
  readonly #sinks: EventSink[] = [];
  readonly #memories = new Map<string, () => unknown>();

  constructor(connection: ConnectionConfig, shared: Shared) {
    this.#connection = connection;
    this.#shared = shared;
    this.manager = shared.manager;
    this.clock = shared.clock;
    this.random = shared.random;
    const transport = new Transport(connection);
    this.#transports.push(transport);
    this.reader = new Client(transport, { mapper: shared.manager.mapper });
    this.metrics = shared.metrics;
    this.renewLease = shared.renewLease ?? (() => false);
    this.nodeStates = new NodeStates(
      shared.nodes,
      this.recall<ReadonlyMap<string, NodeMemory>>('nodes', () => this.nodeStates.memory),
    );
    this.failures = new WorkloadFailures(
      () => shared.clock.epoch(),
      this.recall<readonly AddedFailureMemory[]>('failures', () => this.failures.memory),
    );
    this.nodes = new Map(shared.nodes.map((node) => [node.name, node]));
  }

  clientOf(controller: string): Client {
    return this.clientAs(controllerUser(controller));
  }

  eventsOf(controller: string, component = controller): EventSink {
    return this.eventsAs(controllerUser(controller), { component });
  }

  eventsAs(user: ComponentUser, source: EventSource): EventSink {
    // A component may have several sinks, which it always creates in the same order.
    const name = `events ${user.user} ${source.component}`;
    let count = 1;
    while (this.#memories.has(`${name} ${count}`)) count += 1;
    const memory = this.recall<SinkMemory>(`${name} ${count}`, () => sink.memory);
    const sink: EventSink = new EventSink({ ...this.#shared, client: this.clientAs(user), source, memory });
    this.#sinks.push(sink);
    return sink;
  }

  recall<Memory>(component: string, current: () => Memory): Memory | undefined {
    this.#memories.set(component, current);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same component has written it
    return this.#shared.memory?.get(component) as Memory | undefined;
  }

  /** What all components know beside the objects. */
  get memory(): WorkloadMemory {
    return new Map([...this.#memories].map(([component, current]) => [component, current()]));
  }

  /** A client that reads from the cache of the manager and writes as a component. */
  clientAs({ user, groups = [], fieldOwner }: ComponentUser): Client {
    const known = this.#clients.get(user);
    if (known) return known;
    const { cache, mapper } = this.manager;
    const impersonate = { user, groups: [...groups, 'system:authenticated'] };
    // The author of a test can do nothing about warnings such as that Endpoints are deprecated.
    const transport = new Transport({ ...this.#connection, impersonate }, { onWarning: () => {} });
    this.#transports.push(transport);
    const client = new Client(transport, { cache, mapper, fieldOwner });
    this.#clients.set(user, client);
    return client;
  }

  /** Writes the events that were recorded, and closes the clients. */
  async close(): Promise<void> {
    await Promise.all(this.#sinks.map((sink) => sink.flush()));
    await Promise.all(this.#transports.map((transport) => transport.close()));
  }
}

/** With --use-service-account-credentials, each controller has its own user. */
function controllerUser(controller: string): ComponentUser {
  return {
    user: `system:serviceaccount:kube-system:${controller}`,
    groups: ['system:serviceaccounts', 'system:serviceaccounts:kube-system'],
    fieldOwner: controllerManager,
  };
}
