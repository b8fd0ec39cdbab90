import { type Clock, systemClock } from 'ots-apimachinery/clock/clock';
import { Client, type ConnectionConfig, Manager, Transport, createLogger } from 'ots-runtime';
import { controllers } from './controllers.ts';
import { EventSink } from './event-sink.ts';
import type { WorkloadContext } from './workload-context.ts';

/** The controllers of a cluster while they run. */
export interface Workloads {
  stop(): Promise<void>;
}

/** The parts of a cluster that a simulation replaces. */
export interface WorkloadDependencies {
  readonly clock?: Clock;
  /** A number in [0, 1). */
  readonly random?: () => number;
}

/**
 * Starts the controllers of workloads beside an API server.
 *
 * @param connection that of the administrator
 */
export async function startWorkloads(
  connection: ConnectionConfig,
  { clock = systemClock, random = Math.random }: WorkloadDependencies = {},
): Promise<Workloads> {
  const logger = createLogger({ level: 'error' });
  const userAgent = 'kube-controller-manager';
  const manager = await Manager.create({ connection, userAgent, logger, webhooks: false }, { clock });
  const transports: Transport[] = [];
  const clients = new Map<string, Client>();
  const clientOf = (controller: string): Client => {
    const known = clients.get(controller);
    if (known) return known;
    const user = `system:serviceaccount:kube-system:${controller}`;
    const groups = ['system:serviceaccounts', 'system:serviceaccounts:kube-system', 'system:authenticated'];
    // The author of a test can do nothing about warnings such as that Endpoints are deprecated.
    const transport = new Transport(
      { ...connection, impersonate: { user, groups } },
      { onWarning: () => {} },
    );
    transports.push(transport);
    const { cache, mapper } = manager;
    const client = new Client(transport, { cache, mapper, fieldOwner: userAgent });
    clients.set(controller, client);
    return client;
  };
  const sinks: EventSink[] = [];
  const context: WorkloadContext = {
    manager,
    clock,
    random,
    clientOf,
    eventsOf: (controller, component = controller) => {
      const sink = new EventSink({ client: clientOf(controller), clock, random, logger, component });
      sinks.push(sink);
      return sink;
    },
  };
  for (const add of controllers) add(context);
  const running = manager.start();
  await manager.ready;
  return {
    stop: async () => {
      await manager.stop();
      await running;
      await Promise.all(sinks.map((sink) => sink.flush()));
      await Promise.all(transports.map((transport) => transport.close()));
    },
  };
}
