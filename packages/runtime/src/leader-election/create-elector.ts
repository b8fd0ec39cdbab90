import { hostname } from 'node:os';
import type { Clock } from 'ots-apimachinery/clock/clock';
import { UsageError } from '../errors/usage-error.ts';
import type { ConnectionConfig } from '../kubeconfig/connection-config.ts';
import { uniqueDigits } from '../random/unique-digits.ts';
import type { Logger } from '../logging/logger.ts';
import type { Reachability } from '../transport/reachability.ts';
import { Transport } from '../transport/transport.ts';
import type { TransportOptions } from '../transport/transport-options.ts';
import { type LeaderElectionOptions, electionTiming } from './leader-election-options.ts';
import { type ElectionObserver, LeaderElector, type LeaderElectorOptions } from './leader-elector.ts';
import { ServerLeases } from './server-leases.ts';

export interface ElectorDependencies {
  connection: ConnectionConfig;
  /** The name of the program in requests, by which administrators recognize who uses the Lease. */
  userAgent?: string | undefined;
  clock: Clock;
  logger: Logger;
  reachability?: Reachability | undefined;
  onRefusal?: TransportOptions['onRefusal'];
  observer?: ElectionObserver | undefined;
  record?: LeaderElectorOptions['record'];
}

/** An elector with its own connections. */
export interface ConnectedElector {
  elector: LeaderElector;
  close: () => Promise<void>;
}

/**
 * Creates an elector for the Lease that the options name.
 * @throws {UsageError} when the options conflict, or the namespace is unknown.
 */
export function createElector(
  options: LeaderElectionOptions,
  { connection, userAgent = '', reachability, onRefusal, ...rest }: ElectorDependencies,
): ConnectedElector {
  const timing = electionTiming(options);
  const namespace = options.namespace ?? connection.namespace;
  if (!options.id) {
    throw new UsageError(
      'Leader election has no id',
      'Pass leaderElection.id, such as my-operator.example.com.',
    );
  }
  if (!namespace) {
    throw new UsageError(
      'The namespace for leader election is unknown outside of a pod',
      'Pass leaderElection.namespace, or set a namespace in the context of the kubeconfig.',
    );
  }
  // As in controller-runtime: one hanging request must not cost the leadership.
  const timeout = Math.max(1000, timing.renewDeadline / 2);
  const transport = new Transport(connection, {
    reachability,
    onRefusal,
    userAgent: `${userAgent} leader-election`.trimStart(),
    requestTimeout: timeout,
    connections: 1,
  });
  const elector = new LeaderElector({
    ...rest,
    leases: new ServerLeases({ transport, namespace, id: options.id, timeout }),
    identity: options.identity ?? `${hostname()}_${uniqueDigits(connection.random)}`,
    random: transport.random,
    timing,
    name: options.id,
  });
  return { elector, close: () => transport.close() };
}
