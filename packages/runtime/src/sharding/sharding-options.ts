import { isDnsLabel } from 'ots-apimachinery/names';
import type { Duration } from 'ots-kubernetes';
import { UsageError } from '../errors/usage-error.ts';

/**
 * How the replicas of an operator divide its work. Each replica that runs is a member: it keeps a Lease, and reconciles
 * the keys that rendezvous hashing assigns to it among the members. The Leases are those of client-go; the annotation
 * `runtime.ots/shards` lists what a member has claimed.
 *
 * No two members write for one key at the same time: a member starts only after the former owner has ended its
 * reconciles, or after the former owner's Lease has expired. In the second case no write of a reconcile leaves the
 * former owner later than `renewDeadline` after the start of its last successful renewal. The remaining risks are those
 * of `LeaderElectionOptions`.
 */
export interface ShardingOptions {
  /**
   * What the names of the Leases begin with: the same for all replicas of an operator, and unique in the namespace. A
   * DNS label (RFC 1123), such as `my-operator`.
   */
  leasePrefix: string;
  /**
   * What the members divide. `namespace` keeps the objects of a namespace on one member, and with them owners and
   * children; a cluster-scoped object counts by its name. `uid` divides the objects of the primary kind one by one, for
   * operators whose objects are in few namespaces.
   */
  by: 'namespace' | 'uid';
  /**
   * Whether this replica caches only what it owns, so the replicas divide the memory, too; only in the manager's own
   * cluster. By namespace, each kind then has a watch for each namespace, a read of another namespace is a
   * `NamespaceNotCachedError`, and the operator needs `list` and `watch` on namespaces. By UID, it caches its own objects
   * of the kinds that controllers reconcile (`for`), and all of other kinds; a client's `get` of an object of another
   * replica is an `ObjectNotCachedError`. A server with shard selectors (KEP-5866) then sends only these objects. False by
   * default: each replica caches everything.
   */
  divideCache?: boolean | undefined;
  /** The namespace of the Leases; by default that of the connection, which in a pod is the pod's. */
  namespace?: string | undefined;
  /** The name of this replica in its Lease, unique to the process; `<host name>_<digits>` by default. */
  identity?: string | undefined;
  /** How long the others wait before they take over from a member that does not renew; `'15s'` by default. */
  leaseDuration?: Duration | number | undefined;
  /** How long a member may write without a successful renewal; `'10s'` by default. */
  renewDeadline?: Duration | number | undefined;
  /** The time between two renewals, and the longest time until a member notices a change; `'2s'` by default. */
  retryPeriod?: Duration | number | undefined;
}

/** @throws {UsageError} if an option is missing or cannot be used; callers may be JavaScript. */
export function checkSharding({ leasePrefix, by }: ShardingOptions): void {
  if (!isDnsLabel(leasePrefix)) {
    throw new UsageError(
      `${JSON.stringify(leasePrefix)} cannot begin the names of Leases`,
      'Pass a sharding.leasePrefix of lower case letters, digits and dashes, such as my-operator.',
    );
  }
  if (by !== 'namespace' && by !== 'uid') {
    throw new UsageError(
      `${JSON.stringify(by)} cannot divide keys`,
      "Pass sharding.by: 'namespace' or 'uid'.",
    );
  }
}
