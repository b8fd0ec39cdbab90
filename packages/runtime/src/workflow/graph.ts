import { UsageError } from '../errors/usage-error.ts';

/** A dependency graph of names, in topological order. */
export class Graph {
  /** Every name comes after all names that it needs. */
  readonly order: readonly string[];
  readonly #needs: ReadonlyMap<string, readonly string[]>;

  /** @throws {UsageError} if a dependency does not exist, or the dependencies form a cycle. */
  constructor(needs: ReadonlyMap<string, readonly string[]>) {
    this.#needs = needs;
    this.order = ordered(needs);
  }

  /** Returns the graph with all dependencies reversed: the order for deletion. */
  reversed(): Graph {
    const needs = new Map(this.order.map((name): [string, string[]] => [name, []]));
    for (const [name, needed] of this.#needs) for (const each of needed) needs.get(each)!.push(name);
    return new Graph(needs);
  }

  /** Returns true when the name directly needs one of `others`. */
  needsAny(name: string, others: ReadonlySet<string>): boolean {
    return this.#needs.get(name)!.some((each) => others.has(each));
  }

  /**
   * Visits every name once, as soon as the visits of all names that it needs have returned true; independent names are
   * visited at the same time. If a visit returns false, names that need it, directly or not, are not visited. Resolves
   * when all visits have ended.
   * @param visit should not reject; if it does, so does `run`, after the visits in progress.
   */
  async run(visit: (name: string) => Promise<boolean>): Promise<void> {
    const visits = new Map<string, Promise<boolean>>();
    for (const name of this.order) {
      const needed = this.#needs.get(name)!.map((each) => visits.get(each)!);
      visits.set(
        name,
        Promise.all(needed).then((reached) => reached.every(Boolean) && visit(name)),
      );
    }
    const results = await Promise.allSettled(visits.values());
    const failed = results.find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
  }
}

function ordered(needs: ReadonlyMap<string, readonly string[]>): string[] {
  const order = new Set<string>();
  const path: string[] = [];
  const add = (name: string): void => {
    if (order.has(name)) return;
    if (path.includes(name)) {
      const circle = [...path.slice(path.indexOf(name)), name].join(' -> ');
      throw new UsageError(`The dependencies form a cycle: ${circle}`, 'Break the cycle.');
    }
    path.push(name);
    for (const each of needs.get(name)!) {
      if (!needs.has(each)) {
        const names = [...needs.keys()].join(', ');
        throw new UsageError(`${name} depends on ${each}, which does not exist`, `Use one of: ${names}.`);
      }
      add(each);
    }
    path.pop();
    order.add(name);
  };
  for (const name of needs.keys()) add(name);
  return [...order];
}
