import type { Lease } from 'ots-kubernetes/coordination/v1';
import type { MemberLeases, NewLease } from '../../src/sharding/member-leases.ts';
import { failure } from '../memory-leases.ts';
import type { ProcessClock, World } from './world.ts';

/** How a network treats what is sent. */
export interface Network {
  /** How long the next message takes, in milliseconds; undefined if it is lost. */
  delay(): number | undefined;
}

/** In milliseconds, as members have with the default times. */
const timeout = 5000;

/** The Leases of an API server, with its rules. */
export class LeaseServer {
  readonly #world: World;
  readonly leases = new Map<string, Lease>();
  #version = 0;

  constructor(world: World) {
    this.#world = world;
  }

  /** The Leases as a process reaches them over a network. */
  reachedBy(clock: ProcessClock, network: Network): MemberLeases {
    const send = <T>(perform: () => T): Promise<T> => this.#exchange(clock, network, perform);
    return {
      list: () => send(() => structuredClone([...this.leases.values()])),
      create: (lease) => send(() => this.#create(lease)),
      update: (lease) => send(() => this.#update(lease)),
      delete: (lease, { optimisticLock }) => send(() => this.#delete(lease, optimisticLock)),
    };
  }

  #exchange<T>(clock: ProcessClock, network: Network, perform: () => T): Promise<T> {
    const { outside } = this.#world;
    return new Promise((resolve, reject) => {
      const expiry = clock.setTimeout(() => reject(new Error('timed out')), timeout);
      // Through the clock of the process: one that stands still receives it later.
      const receive = (settle: () => void): void => {
        clock.setTimeout(() => {
          clock.clearTimeout(expiry);
          settle();
        }, 0);
      };
      const request = network.delay();
      if (request === undefined) return;
      outside.setTimeout(() => {
        let respond: () => void;
        try {
          const result = perform();
          respond = () => resolve(result);
        } catch (error) {
          respond = () => reject(error);
        }
        const response = network.delay();
        if (response !== undefined) outside.setTimeout(() => receive(respond), response);
      }, request);
    });
  }

  #create({ metadata, spec }: NewLease): Lease {
    if (this.leases.has(metadata.name)) throw failure(409, 'AlreadyExists');
    const uid = `uid-${this.#world.next()}`;
    return this.#store({ metadata: { ...metadata, uid }, spec } as Lease);
  }

  #update(lease: Lease): Lease {
    const stored = this.leases.get(lease.metadata.name!);
    // kube-apiserver creates a Lease that does not exist, but not one that is to have a UID.
    if (stored?.metadata.uid !== lease.metadata.uid) throw failure(409, 'Conflict');
    if (stored!.metadata.resourceVersion !== lease.metadata.resourceVersion) throw failure(409, 'Conflict');
    return this.#store(lease);
  }

  #delete({ metadata }: Lease, optimisticLock: boolean): void {
    const stored = this.leases.get(metadata.name!)?.metadata;
    if (!stored) throw failure(404, 'NotFound');
    const isOther = stored.uid !== metadata.uid;
    if (isOther || (optimisticLock && stored.resourceVersion !== metadata.resourceVersion))
      throw failure(409, 'Conflict');
    this.leases.delete(metadata.name!);
  }

  #store(lease: Lease): Lease {
    this.#version += 1;
    const metadata = { ...lease.metadata, resourceVersion: `${this.#version}` };
    const stored = structuredClone({ ...lease, metadata });
    this.leases.set(metadata.name!, stored);
    return structuredClone(stored);
  }
}
