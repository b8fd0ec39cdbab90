/** How many clusters can be worked with, and how many cannot. */
interface Counts {
  readonly synced: number;
  readonly waiting: number;
}

/** Clusters besides the manager's own, with which controllers work. */
export interface ClusterGroup {
  counts(): Counts;
  /** Why they are not ready to work with, one text each. */
  busyWith(): string[];
  /** As `Cache.behind`, of all clusters. */
  behind(signal: AbortSignal): Promise<string[]>;
  /** Closes their caches and connections, when no work runs any more. */
  close(inTime: boolean): Promise<void>;
}

/** All clusters of a manager besides its own. */
export class OtherClusters {
  readonly #groups: ClusterGroup[] = [];

  add(group: ClusterGroup): void {
    this.#groups.push(group);
  }

  /** Undefined if the operator has no such clusters. */
  get counts(): Counts | undefined {
    if (this.#groups.length === 0) return undefined;
    const sum = { synced: 0, waiting: 0 };
    for (const group of this.#groups) {
      const { synced, waiting } = group.counts();
      sum.synced += synced;
      sum.waiting += waiting;
    }
    return sum;
  }

  get busyWith(): string[] {
    return this.#groups.flatMap((group) => group.busyWith());
  }

  async behind(signal: AbortSignal): Promise<string[]> {
    return (await Promise.all(this.#groups.map((group) => group.behind(signal)))).flat();
  }

  async close(inTime: boolean): Promise<void> {
    await Promise.all(this.#groups.map((group) => group.close(inTime)));
  }
}
