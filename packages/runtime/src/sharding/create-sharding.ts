import type { Clock } from 'ots-apimachinery/clock/clock';
import { Lease } from 'ots-kubernetes/coordination/v1';
import { Cache } from '../cache/cache.ts';
import { Client } from '../client/client.ts';
import { UsageError } from '../errors/usage-error.ts';
import { electionTiming } from '../leader-election/leader-election-options.ts';
import {
  type LeaseConnectionOptions,
  connectForLeases,
  uniqueHolder,
} from '../leader-election/lease-connection.ts';
import type { Logger } from '../logging/logger.ts';
import { metadataOf } from '../objects/metadata-of.ts';
import { claimsAnnotation, memberLabel, shardScheme } from './claims.ts';
import { ServerMemberLeases } from './member-leases.ts';
import { ShardMember, type ShardingObserver } from './shard-member.ts';
import { type ShardingOptions, checkSharding } from './sharding-options.ts';

export interface ShardingDependencies extends LeaseConnectionOptions {
  clock: Clock;
  logger: Logger;
  observer?: ShardingObserver | undefined;
}

/** A member with its own connections. */
export interface ConnectedSharding {
  readonly member: ShardMember;
  /**
   * Becomes a member.
   * @param stopping when it aborts, the member gets no more shards.
   */
  start(stopping: AbortSignal): void;
  /**
   * Ends the membership.
   * @param release whether the others can have the shards at once; false if work may still be running.
   */
  stop(release: boolean): Promise<void>;
}

/**
 * Creates a member of the group that the options name.
 * @throws {UsageError} when the options conflict, or the namespace is unknown.
 */
export function createSharding(
  options: ShardingOptions,
  dependencies: ShardingDependencies,
): ConnectedSharding {
  checkSharding(options);
  const { connection, logger, observer } = dependencies;
  const timing = electionTiming(options);
  const { leasePrefix: prefix, by, namespace = connection.namespace } = options;
  if (!namespace) {
    throw new UsageError(
      'The namespace for sharding is unknown outside of a pod',
      'Pass sharding.namespace, or set a namespace in the context of the kubeconfig.',
    );
  }
  const { transport, timeout } = connectForLeases(dependencies, timing, 'sharding');
  const { clock } = transport;
  const identity = options.identity ?? uniqueHolder(connection);
  const member = new ShardMember({
    clock: dependencies.clock,
    logger,
    observer,
    leases: new ServerMemberLeases({ client: new Client(transport), clock, namespace, prefix, timeout }),
    name: leaseName(prefix, identity),
    identity,
    scheme: shardScheme(by),
    timing,
  });
  const cache = new Cache({ transport, namespaces: [namespace], clock, logger, readYourWrites: false });
  const stopCache = new AbortController();
  follow(cache, prefix, member);
  return {
    member,
    start: (stopping) => {
      stopping.addEventListener('abort', () => member.prepareToLeave(), { once: true });
      cache.start(stopCache.signal);
      member.start();
    },
    stop: async (release) => {
      if (release) await member.leave();
      else member.abandon();
      stopCache.abort();
      await cache.stopped();
      await transport.close();
    },
  };
}

/** Identities may have letters that no object may have in its name. */
function leaseName(prefix: string, identity: string): string {
  return `${prefix}-${identity}`
    .toLowerCase()
    .replaceAll(/[^a-z0-9.-]/g, '-')
    .slice(0, 253);
}

/** Wakes the member when others come, leave, or change their claims. Without the watch it notices later. */
function follow(cache: Cache, prefix: string, member: ShardMember): void {
  const kind = metadataOf(Lease);
  cache.add(kind, { labelSelector: `${memberLabel}=${prefix}` });
  const wake = (): void => member.wake();
  cache.informer(kind).addHandler({
    added: wake,
    deleted: wake,
    updated: (before, after) => {
      const [old, now] = [before, after].map(({ metadata }) => metadata.annotations?.[claimsAnnotation]);
      if (old !== now) wake();
    },
  });
}
