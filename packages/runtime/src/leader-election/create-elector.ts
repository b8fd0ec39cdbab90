import type { Clock } from 'ots-apimachinery/clock/clock';
import { UsageError } from '../errors/usage-error.ts';
import type { Logger } from '../logging/logger.ts';
import { type LeaderElectionOptions, electionTiming } from './leader-election-options.ts';
import { type ElectionObserver, LeaderElector, type LeaderElectorOptions } from './leader-elector.ts';
import { type LeaseConnectionOptions, connectForLeases, uniqueHolder } from './lease-connection.ts';
import { ServerLeases } from './server-leases.ts';

export interface ElectorDependencies extends LeaseConnectionOptions {
  clock: Clock;
  logger: Logger;
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
  dependencies: ElectorDependencies,
): ConnectedElector {
  const { connection } = dependencies;
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
  const { transport, timeout } = connectForLeases(dependencies, timing, 'leader-election');
  const { clock, logger, observer, record } = dependencies;
  const elector = new LeaderElector({
    clock,
    logger,
    observer,
    record,
    leases: new ServerLeases({ transport, namespace, id: options.id, timeout }),
    identity: options.identity ?? uniqueHolder(connection),
    random: transport.random,
    timing,
    name: options.id,
  });
  return { elector, close: () => transport.close() };
}
