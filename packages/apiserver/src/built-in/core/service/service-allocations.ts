import type { ServiceSpec } from 'ots-kubernetes/core/v1';
import { isObject } from '../../../json/json-object.ts';
import type { StoredRecord } from '../../../storage/stored-record.ts';
import type { Table } from '../../../storage/table.ts';
import type { Random } from '../../../random/random.ts';
import { serviceTraits } from './service-traits.ts';

/** A range to allocate from, starting at `dynamic`, so the lower numbers stay free for explicit requests. */
interface Range {
  first: number;
  dynamic: number;
  last: number;
}

const hosts: Range = { first: 1, dynamic: 17, last: 254 };
const ports: Range = { first: 30_000, dynamic: 30_086, last: 32_767 };

/** Cluster IPs come from 10.0.0.0/24, kube-apiserver's default. */
const network = '10.0.0.';

/**
 * The allocated cluster IPs and node ports, computed from the stored Services. So a failed write or a dry run
 * allocates nothing, and a deleted Service releases everything.
 */
export class ServiceAllocations {
  readonly #table: Table;
  readonly #random: Random;
  readonly #addresses = new Set<string>();
  readonly #ports = new Set<number>();
  /** Everything up to this revision is counted. */
  #revision = -1;

  constructor(table: Table, random: Random) {
    this.#table = table;
    this.#random = random;
  }

  isAddressTaken(address: string): boolean {
    this.#catchUp();
    return this.#addresses.has(address);
  }

  /** @returns undefined when every address is taken */
  freeAddress(): string | undefined {
    const host = this.#pickFree(hosts, (number) => this.isAddressTaken(`${network}${number}`));
    return host === undefined ? undefined : `${network}${host}`;
  }

  isPortTaken(port: number): boolean {
    this.#catchUp();
    return this.#ports.has(port);
  }

  /**
   * @param own ports that the current Service has been given, and that are not stored yet
   * @returns undefined when every port is taken
   */
  freePort(own: ReadonlySet<number>): number | undefined {
    return this.#pickFree(ports, (port) => own.has(port) || this.isPortTaken(port));
  }

  /** @param address in canonical form */
  static isClusterIp(address: string): boolean {
    const host = Number(address.slice(network.length));
    return address.startsWith(network) && host >= hosts.first && host <= hosts.last;
  }

  static isNodePort(port: number): boolean {
    return port >= ports.first && port <= ports.last;
  }

  static readonly nodePortRange = `${ports.first}-${ports.last}`;

  #catchUp(): void {
    const { log } = this.#table;
    if (this.#revision < log.floor) {
      this.#addresses.clear();
      this.#ports.clear();
      for (const record of this.#table.list()) this.#take(record);
      this.#revision = log.after(log.floor).at(-1)?.record.revision ?? log.floor;
      return;
    }
    for (const { type, record, previous } of log.after(this.#revision)) {
      if (previous) this.#release(previous);
      if (type !== 'DELETED') this.#take(record);
      this.#revision = record.revision;
    }
  }

  #take(record: StoredRecord): void {
    for (const address of specOf(record).clusterIPs ?? []) this.#addresses.add(address);
    for (const port of nodePortsOf(record)) this.#ports.add(port);
  }

  #release(record: StoredRecord): void {
    for (const address of specOf(record).clusterIPs ?? []) this.#addresses.delete(address);
    for (const port of nodePortsOf(record)) this.#ports.delete(port);
  }

  #pickFree({ first, dynamic, last }: Range, isTaken: (number: number) => boolean): number | undefined {
    return this.#pickBetween(dynamic, last, isTaken) ?? this.#pickBetween(first, dynamic - 1, isTaken);
  }

  /** Starts at a random number: a released one is not reused at once. */
  #pickBetween(first: number, last: number, isTaken: (number: number) => boolean): number | undefined {
    const count = last - first + 1;
    const start = this.#random.integer(0, count);
    for (let step = 0; step < count; step += 1) {
      const number = first + ((start + step) % count);
      if (!isTaken(number)) return number;
    }
    return undefined;
  }
}

function specOf({ object }: StoredRecord): ServiceSpec {
  return isObject(object['spec']) ? object['spec'] : {};
}

function nodePortsOf(record: StoredRecord): number[] {
  const spec = specOf(record);
  const numbers = (spec.ports ?? []).map(({ nodePort = 0 }) => nodePort);
  const healthCheck = serviceTraits.needsHealthCheck(spec) ? (spec.healthCheckNodePort ?? 0) : 0;
  return [...numbers, healthCheck].filter((port) => port !== 0);
}
