import type { ShardingObserver } from '../sharding/shard-member.ts';
import type { MetricSet } from './metric-set.ts';

/** Metrics of sharding. */
export class ShardingMetrics {
  readonly #members;
  readonly #shards;

  constructor(metrics: MetricSet) {
    const labels = ['name'] as const;
    this.#members = metrics.gauge('sharding_members', 'Number of replicas that divide the work', labels);
    this.#shards = metrics.gauge(
      'sharding_owned_shards',
      'Number of the 1024 shards that this replica owns',
      labels,
    );
  }

  /** @param name the prefix of the Leases. */
  observer(name: string): ShardingObserver {
    return {
      divided: (members, shards) => {
        this.#members.set({ name }, members);
        this.#shards.set({ name }, shards);
      },
    };
  }
}
