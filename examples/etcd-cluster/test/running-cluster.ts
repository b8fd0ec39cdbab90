// Copyright 2026 The etcd-operator authors
// SPDX-License-Identifier: Apache-2.0

import { createHash } from 'node:crypto';
import type { SimulatedContainer } from 'ots-testing';

/** What the members of a cluster agree on. */
export interface Agreement {
  readonly clusterID: string;
  /** How many changes it has seen. */
  readonly revision: number;
  /** The ID of the member that the others follow. */
  readonly leader: string;
  readonly members: readonly ListedMember[];
  readonly keys: Readonly<Record<string, string>>;
}

/** A member as the cluster lists it. */
export interface ListedMember {
  readonly ID: string;
  /** Undefined until it starts for the first time. */
  readonly name?: string;
  readonly peerURLs: readonly string[];
}

/** What a member keeps on its volume. */
export interface MemberData {
  readonly id: string;
  /** Whether the member has lost what it had promised to others. */
  readonly isCorrupt: boolean;
  readonly agreement: Agreement;
}

/** A request that etcd refuses, with the status of its HTTP/JSON gateway. */
export class RefusalError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const dataDirectory = 'data';

/** What is on the volume of a member; undefined for a new one. */
export function readData({ volume }: SimulatedContainer): MemberData | undefined {
  const data = volume('data').get(dataDirectory);
  return data === undefined ? undefined : JSON.parse(data);
}

export function writeData({ volume }: SimulatedContainer, data: MemberData): void {
  volume('data').set(dataDirectory, JSON.stringify(data));
}

/** What a cluster of one member agrees on. */
export function newAgreement(
  { name, url, token }: { name: string; url: string; token: string },
  keys: Agreement['keys'] = {},
): Agreement {
  const leader = idOf(url, token);
  const members = [{ ID: leader, name, peerURLs: [url] }];
  return { clusterID: idOf(leader), revision: 1, leader, members, keys };
}

/** More than JavaScript can count, as in etcd. */
function idOf(...parts: readonly (string | number)[]): string {
  const hash = createHash('sha1').update(parts.join()).digest('hex');
  return `${BigInt(`0x${hash.slice(0, 16)}`)}`;
}

export function quorumOf(members: number): number {
  return Math.floor(members / 2) + 1;
}

/** The members of a cluster that run. All of them have on their volumes what they agree on. */
export class RunningCluster {
  #agreement: Agreement;
  /** The containers by the IDs of the members. */
  readonly #running = new Map<string, SimulatedContainer>();

  /** @param agreement that of the first member that starts */
  constructor(agreement: Agreement) {
    this.#agreement = agreement;
  }

  get agreement(): Agreement {
    return this.#agreement;
  }

  get members(): readonly ListedMember[] {
    return this.#agreement.members;
  }

  get isEmpty(): boolean {
    return this.#running.size === 0;
  }

  /** Whether a container is a member that runs. */
  isRunning(id: string, container: SimulatedContainer): boolean {
    return this.#running.get(id) === container;
  }

  /** Whether one of the members with these URLs runs. */
  isReachable(urls: readonly string[]): boolean {
    return this.members.some(
      ({ ID, peerURLs }) => this.#running.has(ID) && urls.includes(peerURLs[0]!),
    );
  }

  /** The ID of the leader; `0` without a majority. A leader that has stopped has a successor. */
  get leader(): string {
    if (!this.#hasQuorum) return '0';
    const { leader } = this.#agreement;
    if (this.#running.has(leader)) return leader;
    const successor = this.members.findLast(({ ID }) => this.#running.has(ID))!;
    this.#change({ leader: successor.ID });
    return successor.ID;
  }

  /** Starts a member. It learns what it has missed, or the others do. */
  start({ id, agreement }: MemberData, name: string, container: SimulatedContainer): void {
    if (agreement.revision > this.#agreement.revision) this.#agreement = agreement;
    this.#running.set(id, container);
    const members = this.members.map((member) => (member.ID === id ? { ...member, name } : member));
    this.#change({ members });
  }

  stop(id: string): void {
    this.#running.delete(id);
    // The others elect another one now, and not when it is back.
    void this.leader;
  }

  requireQuorum(): void {
    if (!this.#hasQuorum) throw new RefusalError(503, 'etcdserver: request timed out');
  }

  put(key: string, value: string): void {
    this.#change({ keys: { ...this.#agreement.keys, [key]: value } });
  }

  /** @param now milliseconds: a member that is added again has another ID */
  addMember(url: string, now: number): void {
    if (this.members.some(({ peerURLs }) => peerURLs[0] === url))
      throw new RefusalError(400, 'etcdserver: Peer URLs already exists');
    if (this.#running.size < this.members.length)
      throw new RefusalError(503, 'etcdserver: unhealthy cluster');
    const added = { ID: idOf(url, this.#agreement.clusterID, now), peerURLs: [url] };
    this.#change({ members: [...this.members, added] });
  }

  removeMember(id: string): ListedMember {
    const removed = this.members.find(({ ID }) => ID === id);
    if (!removed) throw new RefusalError(404, 'etcdserver: member not found');
    const others = [...this.#running.keys()].filter((each) => each !== id).length;
    if (others < quorumOf(this.members.length - 1))
      throw new RefusalError(
        503,
        'etcdserver: re-configuration failed due to not enough started members',
      );
    this.#change({ members: this.members.filter((member) => member !== removed) });
    return removed;
  }

  get #hasQuorum(): boolean {
    return this.#running.size >= quorumOf(this.members.length);
  }

  /** Changes what all members agree on. Those that are no longer listed end. */
  #change(change: Partial<Agreement>): void {
    this.#agreement = {
      ...this.#agreement,
      ...change,
      revision: this.#agreement.revision + 1,
    };
    for (const [id, container] of this.#running) {
      writeData(container, { id, isCorrupt: false, agreement: this.#agreement });
      if (this.members.some(({ ID }) => ID === id)) continue;
      this.stop(id);
      container.log('the member has been permanently removed from the cluster');
      // It may be the one that answers the request.
      container.clock.setTimeout(() => container.exit(0), 1000);
    }
  }
}
