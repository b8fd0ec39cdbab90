import { Lease, type LeaseSpec } from 'ots-kubernetes/coordination/v1';
import { ApiError } from '../src/errors/api-error.ts';
import type { LeaseStore } from '../src/leader-election/server-leases.ts';

type Call = 'read' | 'create' | 'update';

/** One Lease in memory, with the server's rules. A test can delay or replace its responses. */
export class MemoryLeases implements LeaseStore {
  readonly name = 'default/test';
  readonly calls: Call[] = [];
  lease: Lease | undefined;
  /** Called before every call is served. The caller gets its error, or waits if it never settles. */
  before: (call: Call, signal?: AbortSignal) => unknown = () => {};
  /** Called after a write, before the response. */
  after: (call: Call) => unknown = () => {};
  #version = 0;

  get spec(): LeaseSpec {
    return this.lease!.spec!;
  }

  /** Changes the Lease as another client. */
  put(spec: LeaseSpec, metadata: Partial<Lease['metadata']> = {}): void {
    this.#version += 1;
    this.lease = {
      ...this.lease,
      apiVersion: Lease.apiVersion,
      kind: Lease.kind,
      metadata: {
        uid: 'uid',
        ...this.lease?.metadata,
        name: 'test',
        ...metadata,
        resourceVersion: `${this.#version}`,
      },
      spec,
    } as Lease;
  }

  async read(signal?: AbortSignal): Promise<Lease | undefined> {
    await this.#begin('read', signal);
    return structuredClone(this.lease);
  }

  async create(spec: Lease['spec'], signal?: AbortSignal): Promise<Lease> {
    await this.#begin('create', signal);
    if (this.lease) throw failure(409, 'AlreadyExists');
    this.put(structuredClone(spec!));
    await this.after('create');
    return structuredClone(this.lease!);
  }

  async update(lease: Lease, signal?: AbortSignal): Promise<Lease> {
    await this.#begin('update', signal);
    if (!this.lease) throw failure(404, 'NotFound');
    if (this.lease.metadata.resourceVersion !== lease.metadata.resourceVersion)
      throw failure(409, 'Conflict');
    this.put(structuredClone(lease.spec!));
    await this.after('update');
    return structuredClone(this.lease);
  }

  async #begin(call: Call, signal?: AbortSignal): Promise<void> {
    this.calls.push(call);
    signal?.throwIfAborted();
    await this.before(call, signal);
  }
}

export function failure(code: number, reason: string): ApiError {
  return new ApiError({ code, reason, message: reason }, undefined);
}
