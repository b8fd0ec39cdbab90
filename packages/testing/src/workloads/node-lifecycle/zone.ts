import type { Clock } from 'ots-apimachinery/clock/clock';
import type { CachedNode } from '../nodes/cached-node.ts';

/** How many nodes of a zone are lost: few, many, or all. */
export type ZoneState = 'initial' | 'normal' | 'partial' | 'full';

/** Between two nodes whose pods are evicted, in milliseconds, as kube-controller-manager has it by default. */
const evictionInterval = 10_000;
/** The same for a large zone of which many nodes are lost. */
const slowEvictionInterval = 100_000;
/** From how many nodes a zone is large. */
const largeZone = 50;
/** Which share of the nodes is many. */
const unhealthyShare = 0.55;

/** The nodes of a failure zone whose pods are to be evicted: one after the other, more slowly or not at all if many nodes are lost. */
export class Zone {
  readonly #clock: Clock;
  readonly #waiting = new Set<string>();
  readonly #tainted = new Set<string>();
  #state: ZoneState = 'initial';
  #interval = evictionInterval;
  #nextAt = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get state(): ZoneState {
    return this.#state;
  }

  /** Queues a node, unless it was tainted since it was queued first. @param isTainted whether it still is */
  add(name: string, isTainted: boolean): void {
    if (!isTainted) this.#tainted.delete(name);
    if (!this.#tainted.has(name)) this.#waiting.add(name);
  }

  remove(name: string): void {
    this.#waiting.delete(name);
    this.#tainted.delete(name);
  }

  /** The next node to taint; undefined if none waits or it is too early. */
  next(): string | undefined {
    return this.#clock.epoch() >= this.#nextAt ? this.#waiting.values().next().value : undefined;
  }

  /** To be called when a node was tainted. */
  done(name: string): void {
    this.#waiting.delete(name);
    this.#tainted.add(name);
    this.#nextAt = this.#clock.epoch() + this.#interval;
  }

  /** When the next node may be tainted, in milliseconds since 1970; infinite if none waits. */
  get nextAt(): number {
    return this.#waiting.size > 0 ? this.#nextAt : Infinity;
  }

  /** @param size how many nodes the zone has */
  enter(state: ZoneState, size: number): void {
    this.#state = state;
    if (state === 'partial') this.#limit(size > largeZone ? slowEvictionInterval : Infinity);
    else this.#limit(evictionInterval);
  }

  /** No node is tainted: all zones are lost, so the fault may be elsewhere. */
  suspend(): void {
    this.#state = 'full';
    this.#limit(Infinity);
  }

  /** After a change the first node waits, unless one could have been tainted now. */
  #limit(interval: number): void {
    if (interval === this.#interval) return;
    const now = this.#clock.epoch();
    if (this.#nextAt > now) this.#nextAt = now + interval;
    if (interval === Infinity) this.#nextAt = Infinity;
    this.#interval = interval;
  }
}

/** The failure zone of a node. */
export function zoneOf({ metadata: { labels = {} } }: CachedNode): string {
  const value = (name: string): string =>
    labels[`failure-domain.beta.kubernetes.io/${name}`] ?? labels[`topology.kubernetes.io/${name}`] ?? '';
  return `${value('region')}\0${value('zone')}`;
}

/** @param ready whether each node of a zone is ready */
export function zoneState(ready: readonly boolean[]): ZoneState {
  const lost = ready.filter((isReady) => !isReady).length;
  if (lost === ready.length) return 'full';
  return lost > 2 && lost / ready.length >= unhealthyShare ? 'partial' : 'normal';
}
