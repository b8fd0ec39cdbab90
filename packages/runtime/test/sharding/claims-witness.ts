import type { Lease } from 'ots-kubernetes/coordination/v1';
import type { ConfigMap } from 'ots-kubernetes/core/v1';
import { claimsOf, memberLabel, shardScheme } from '../../src/sharding/claims.ts';
import { shardOf } from '../../src/sharding/shard-of.ts';
import type { Transport } from '../../src/transport/transport.ts';

interface Seen<T> {
  type: string;
  object: T;
}

/** Follows the Leases of members, and the ConfigMaps in which they write who they are. */
export class ClaimsWitness {
  readonly #transport: Transport;
  readonly #stop = new AbortController();
  readonly #leases: Seen<Lease>[] = [];
  readonly #writes: Seen<ConfigMap>[] = [];

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Follows every version from this one on. */
  follow(prefix: string, resourceVersion: string): void {
    const labelSelector = `${memberLabel}=${prefix}`;
    const leases = '/apis/coordination.k8s.io/v1/namespaces/default/leases';
    void this.#collect(leases, { labelSelector, resourceVersion }, this.#leases).catch(() => {});
    const fieldSelector = 'metadata.name=ledger';
    void this.#collect('/api/v1/configmaps', { fieldSelector, resourceVersion }, this.#writes).catch(
      () => {},
    );
  }

  stop(): void {
    this.#stop.abort();
  }

  /** Who wrote last, by namespace. */
  get writers(): Map<string, string> {
    return new Map(
      this.#writes.map(({ object: { metadata, data } }) => [metadata.namespace!, data?.['writer'] ?? '']),
    );
  }

  /**
   * The writes that the server has stored while the Lease of the writer did not claim the namespace, in words.
   */
  complaints(): string[] {
    const scheme = shardScheme('namespace');
    const claims = new Map<string, ReadonlySet<number>>();
    const complaints: string[] = [];
    // Later Leases may not have arrived yet.
    const newest = Math.max(...this.#leases.map(versionOf));
    const writes = this.#writes.filter((write) => versionOf(write) < newest);
    const events = [...this.#leases, ...writes].toSorted((a, b) => versionOf(a) - versionOf(b));
    for (const { type, object } of events) {
      const { kind, metadata } = object;
      if (kind === 'Lease') {
        if (type === 'DELETED') claims.delete(metadata.name!);
        else claims.set(metadata.name!, claimsOf(object, scheme));
        continue;
      }
      const writer = object.data?.['writer'];
      if (writer === undefined) continue;
      const shard = shardOf(metadata.namespace!);
      const holders = [...claims].filter(([, shards]) => shards.has(shard)).map(([name]) => name);
      if (!holders.includes(`sharded-${writer}`)) {
        complaints.push(
          `${writer} wrote in ${metadata.namespace}, claimed by ${holders.join() || 'no member'}`,
        );
      }
    }
    return complaints;
  }

  async #collect<T>(path: string, query: Record<string, string>, seen: Seen<T>[]): Promise<void> {
    let rest = '';
    const stream = await this.#transport.stream(path, { ...query, watch: true }, this.#stop.signal);
    for await (const chunk of stream) {
      const lines = (rest + chunk.toString()).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) seen.push(JSON.parse(line) as Seen<T>);
    }
  }
}

function versionOf({ object }: Seen<Lease> | Seen<ConfigMap>): number {
  return Number(object.metadata.resourceVersion);
}
