import type { Lease } from 'ots-kubernetes/coordination/v1';

/** Where the Lease of an election is kept. Every call ends within a time of its own, also without the signal. */
export interface LeaseStore {
  /** `namespace/name`, for messages. */
  readonly name: string;
  /** The Lease, or undefined when there is none. */
  read(signal?: AbortSignal): Promise<Lease | undefined>;
  /** @throws {ApiError} `isAlreadyExists` when another replica was faster. */
  create(spec: Lease['spec'], signal?: AbortSignal): Promise<Lease>;
  /** @throws {ApiError} `isConflict` when the Lease has changed since it was read. */
  update(lease: Lease, signal?: AbortSignal): Promise<Lease>;
}
