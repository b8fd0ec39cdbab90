import type { Clock } from 'ots-apimachinery/clock/clock';
import type { CachedNode } from '../nodes/cached-node.ts';
import { nodeCondition } from '../nodes/node-state.ts';

/** How long a kubelet may be silent, in milliseconds, as kube-controller-manager has it by default. */
const monitorGracePeriod = 50_000;
/** The same for a node whose kubelet has not reported yet. */
const startupGracePeriod = 60_000;

/** The last that a kubelet has shown of itself. */
interface Signal {
  /** When the condition Ready was written, by the clock of the kubelet; undefined without such a condition. */
  heartbeat: string | undefined;
  /** When a sign of life was seen, in milliseconds since 1970. */
  seenAt: number;
}

/** What the kubelets of all nodes have shown of themselves, by their names. */
export interface HealthMemory {
  readonly signals: ReadonlyMap<string, Readonly<Signal>>;
  readonly renewals: ReadonlyMap<string, number>;
}

/**
 * When the kubelet of each node was last heard of: it renews its Lease or writes the condition Ready. Only the time counts at which
 * that is seen, since the clocks of machines differ.
 */
export class NodeHealth {
  readonly #clock: Clock;
  readonly #signals: Map<string, Signal>;
  /** When the Leases of nodes were renewed, by the clocks of their kubelets. */
  readonly #renewals: Map<string, number>;

  /** @param memory that of another cluster, which this one continues. Default: none. */
  constructor(clock: Clock, memory?: HealthMemory) {
    this.#clock = clock;
    this.#signals = copyOf(memory?.signals ?? new Map());
    this.#renewals = new Map(memory?.renewals);
  }

  get memory(): HealthMemory {
    return { signals: copyOf(this.#signals), renewals: new Map(this.#renewals) };
  }

  /** Looks for a sign of life in the conditions of a node. */
  observe(node: CachedNode): void {
    const name = node.metadata.name!;
    const ready = nodeCondition(node, 'Ready');
    const heartbeat = ready && (ready.lastHeartbeatTime ?? '');
    const now = this.#clock.epoch();
    const known = this.#signals.get(name);
    if (!known) {
      const isSilent = heartbeat === undefined && !this.#renewals.has(name);
      const seenAt = isSilent ? Date.parse(node.metadata.creationTimestamp!) : now;
      this.#signals.set(name, { heartbeat, seenAt });
      return;
    }
    if (known.heartbeat !== heartbeat) known.seenAt = now;
    known.heartbeat = heartbeat;
  }

  /** Looks for a sign of life in the Lease of a node. */
  observeLease(name: string, renewTime: string | undefined): void {
    const renewedAt = Date.parse(renewTime ?? '');
    if (!(renewedAt > (this.#renewals.get(name) ?? -Infinity))) return;
    this.#renewals.set(name, renewedAt);
    const known = this.#signals.get(name);
    if (known) known.seenAt = this.#clock.epoch();
  }

  /** When the node counts as lost unless its kubelet is heard of, in milliseconds since 1970. */
  deadline(node: CachedNode): number {
    const gracePeriod = nodeCondition(node, 'Ready') ? monitorGracePeriod : startupGracePeriod;
    return (this.#signals.get(node.metadata.name!)?.seenAt ?? this.#clock.epoch()) + gracePeriod;
  }

  /** Gives all nodes a new period: while none of them could be reached, the fault was elsewhere. */
  reset(): void {
    for (const signal of this.#signals.values()) signal.seenAt = this.#clock.epoch();
  }

  forget(name: string): void {
    this.#signals.delete(name);
    this.#renewals.delete(name);
  }
}

function copyOf(signals: HealthMemory['signals']): Map<string, Signal> {
  return new Map([...signals].map(([name, signal]) => [name, { ...signal }]));
}
