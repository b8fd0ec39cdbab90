import type { Lease } from 'ots-kubernetes/coordination/v1';
import { withDeadline } from '../clock/with-deadline.ts';
import { runInContext } from '../context/work-context.ts';
import { isForbidden, isInvalid, isNotFound } from '../errors/api-error.ts';
import { ConnectionError } from '../errors/connection-error.ts';
import { errorMessage } from '../errors/error-message.ts';
import type { Transport } from '../transport/transport.ts';
import { LeaseUnavailableError } from './leadership-errors.ts';

/** Stores the Lease of an election. Every call has its own timeout in addition to the signal. */
export interface LeaseStore {
  /** `namespace/name`, for messages. */
  readonly name: string;
  /** The Lease, or undefined if it does not exist. */
  read(signal?: AbortSignal): Promise<Lease | undefined>;
  /** @throws {ApiError} `isAlreadyExists` when another replica was faster. */
  create(spec: Lease['spec'], signal?: AbortSignal): Promise<Lease>;
  /** @throws {ApiError} `isConflict` when the Lease has changed since it was read. */
  update(lease: Lease, signal?: AbortSignal): Promise<Lease>;
}

export interface ServerLeasesOptions {
  /** A separate transport: renewals must not wait behind other requests. */
  transport: Transport;
  namespace: string;
  id: string;
  /** How long a request may take, including retries, in milliseconds. */
  timeout: number;
}

/** The Lease on the API server. */
export class ServerLeases implements LeaseStore {
  readonly name: string;
  readonly #options: ServerLeasesOptions;
  readonly #collection: string;
  readonly #path: string;

  constructor(options: ServerLeasesOptions) {
    const { namespace, id } = options;
    this.#options = options;
    this.name = `${namespace}/${id}`;
    this.#collection = `/apis/coordination.k8s.io/v1/namespaces/${encodeURIComponent(namespace)}/leases`;
    this.#path = `${this.#collection}/${encodeURIComponent(id)}`;
  }

  async read(signal?: AbortSignal): Promise<Lease | undefined> {
    try {
      return await this.#send('GET', this.#path, undefined, signal);
    } catch (error) {
      // A 404 from a proxy in front of the API server says nothing about the lease.
      if (isNotFound(error) && !error.foreign) return undefined;
      throw error;
    }
  }

  async create(spec: Lease['spec'], signal?: AbortSignal): Promise<Lease> {
    const { namespace, id } = this.#options;
    const lease = {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name: id, namespace },
      spec,
    };
    try {
      return await this.#send('POST', this.#collection, lease, signal);
    } catch (error) {
      const isUnusable = isInvalid(error) || (isNotFound(error) && !error.foreign);
      if (!isUnusable) throw error;
      throw new LeaseUnavailableError(
        `The lease ${this.name} cannot be created: ${errorMessage(error)}`,
        isInvalid(error)
          ? 'Pass a leaderElection.id that can be the name of an object, such as my-operator.example.com.'
          : `Create the namespace ${namespace}, or name another one with leaderElection.namespace.`,
        error,
      );
    }
  }

  update(lease: Lease, signal?: AbortSignal): Promise<Lease> {
    return this.#send('PUT', this.#path, lease, signal);
  }

  async #send(
    method: 'GET' | 'POST' | 'PUT',
    path: string,
    body: object | undefined,
    outer: AbortSignal | undefined,
  ): Promise<Lease> {
    const { transport, timeout } = this.#options;
    const late = (): ConnectionError =>
      new ConnectionError(
        `No response about the lease ${this.name} within ${timeout / 1000} s`,
        'Check the load of the API server and the network to it.',
      );
    try {
      return await withDeadline(transport.clock, timeout, outer, late, (signal) =>
        // The election is not part of the work that started the manager.
        runInContext({}, () =>
          transport.request<Lease>({ method, path, body, signal, resource: 'leases.coordination.k8s.io' }),
        ),
      );
    } catch (error) {
      if (!isForbidden(error)) throw error;
      throw new LeaseUnavailableError(
        `This process is not allowed to use the lease ${this.name}: ${errorMessage(error)}`,
        `Grant get, create and update on leases of coordination.k8s.io in the namespace ${this.#options.namespace}.`,
        error,
      );
    }
  }
}
