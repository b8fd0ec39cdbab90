import { Lease, type LeaseSpec } from 'ots-kubernetes/coordination/v1';
import type { Clock } from 'ots-apimachinery/clock/clock';
import type { Writable } from '../client/content.ts';
import type { Client } from '../client/client.ts';
import { withDeadline } from '../clock/with-deadline.ts';
import { runInContext } from '../context/work-context.ts';
import { ConnectionError } from '../errors/connection-error.ts';
import { memberLabel } from './claims.ts';

/** What a member writes of its Lease. */
export interface NewLease {
  metadata: { name: string; annotations: Record<string, string> };
  spec: LeaseSpec;
}

/** Stores the Leases of all members. Every call has its own timeout. */
export interface MemberLeases {
  /** All of them, none older than the call. */
  list(): Promise<Lease[]>;
  /** @throws {ApiError} `isAlreadyExists` if there is one of this name. */
  create(lease: NewLease): Promise<Lease>;
  /** @throws {ApiError} `isConflict` or `isNotFound` if it is not the stored one any more. */
  update(lease: Lease): Promise<Lease>;
  /**
   * @param options `optimisticLock`: whether to delete it only if it has not changed since it was read.
   * @throws {ApiError} `isConflict` or `isNotFound` if the stored one is another one, or has changed.
   */
  delete(lease: Lease, options: { optimisticLock: boolean }): Promise<void>;
}

export interface ServerMemberLeasesOptions {
  /** Reads from the server, over connections of its own: renewals must not wait behind other requests. */
  client: Pick<Client, 'list' | 'create' | 'update' | 'delete'>;
  clock: Clock;
  namespace: string;
  prefix: string;
  /** How long a request may take, including retries, in milliseconds. */
  timeout: number;
}

/** The Leases on the API server. */
export class ServerMemberLeases implements MemberLeases {
  readonly #options: ServerMemberLeasesOptions;

  constructor(options: ServerMemberLeasesOptions) {
    this.#options = options;
  }

  list(): Promise<Lease[]> {
    const { client, namespace, prefix } = this.#options;
    const labelSelector = `${memberLabel}=${prefix}`;
    return this.#send(async (signal) => {
      const { items } = await client.list(Lease, { namespace, labelSelector, signal });
      return items as Lease[];
    });
  }

  create({ metadata, spec }: NewLease): Promise<Lease> {
    const { client, namespace, prefix } = this.#options;
    const labels = { [memberLabel]: prefix };
    const lease: Writable<Lease> = {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { ...metadata, namespace, labels },
      spec,
    };
    return this.#send((signal) => client.create(Lease, lease, { signal }));
  }

  update(lease: Lease): Promise<Lease> {
    return this.#send((signal) => this.#options.client.update(Lease, lease, { signal }));
  }

  delete(lease: Lease, { optimisticLock }: { optimisticLock: boolean }): Promise<void> {
    return this.#send((signal) => this.#options.client.delete(Lease, lease, { optimisticLock, signal }));
  }

  #send<T>(request: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { clock, timeout, prefix, namespace } = this.#options;
    const late = (): ConnectionError =>
      new ConnectionError(
        `No response about the leases ${namespace}/${prefix}-* within ${timeout / 1000} s`,
        'Check the load of the API server and the network to it.',
      );
    // Membership is not part of the work that started the manager.
    return withDeadline(clock, timeout, undefined, late, (signal) => runInContext({}, () => request(signal)));
  }
}
