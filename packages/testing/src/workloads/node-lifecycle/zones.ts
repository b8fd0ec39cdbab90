import type { Clock } from 'ots-apimachinery/clock/clock';
import { groupBy } from 'ots-apimachinery/group-by';
import type { CachedNode } from '../nodes/cached-node.ts';
import { readiness } from '../nodes/node-state.ts';
import { Zone, zoneOf, zoneState } from './zone.ts';

/** What changed for the whole cluster. */
export type Disruption = 'begins' | 'ends' | undefined;

/** The failure zones of a cluster. */
export class Zones {
  readonly #clock: Clock;
  readonly #zones = new Map<string, Zone>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The zone of a node. */
  of(node: CachedNode): Zone {
    const key = zoneOf(node);
    const known = this.#zones.get(key);
    if (known) return known;
    const zone = new Zone(this.#clock);
    this.#zones.set(key, zone);
    return zone;
  }

  [Symbol.iterator](): IterableIterator<Zone> {
    return this.#zones.values();
  }

  /**
   * Adapts the rates to how many nodes are lost.
   *
   * @returns whether all nodes of the cluster are lost from now on, or are no longer
   */
  update(nodes: readonly CachedNode[]): Disruption {
    const existing = new Set(nodes.map(zoneOf));
    for (const key of this.#zones.keys()) if (!existing.has(key)) this.#zones.delete(key);
    const counted = nodes.filter(({ metadata }) => metadata.labels?.[excluded] === undefined);
    const states = [...groupBy(counted, zoneOf).values()].map((members) => {
      const ready = members.map((node) => readiness(node) === 'True');
      return { zone: this.of(members[0]!), size: members.length, state: zoneState(ready) };
    });
    const wasLost = states.every(({ zone }) => zone.state === 'full');
    const isLost = states.every(({ state }) => state === 'full');
    if (wasLost && isLost) return undefined;
    for (const { zone, size, state } of states) {
      if (isLost) zone.suspend();
      else if (wasLost || zone.state !== state) zone.enter(state, size);
    }
    if (isLost) return 'begins';
    return wasLost ? 'ends' : undefined;
  }
}

/** A label that excludes a node. */
const excluded = 'node.kubernetes.io/exclude-disruption';
