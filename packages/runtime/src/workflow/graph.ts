import { UsageError } from '../errors/usage-error.ts';

/** Names and what each of them needs, in an order in which they can be visited. */
export class Graph {
  /** Every name after all that it needs. */
  readonly order: readonly string[];
  readonly #needs: ReadonlyMap<string, readonly string[]>;

  /** @throws {UsageError} if a dependency does not exist, or the dependencies form a cycle. */
  constructor(needs: ReadonlyMap<string, readonly string[]>) {
    this.#needs = needs;
    this.order = ordered(needs);
  }

  /** The same names, each needing those that need it here: the order in which to take down what was built. */
  reversed(): Graph {
    const needs = new Map(this.order.map((name): [string, string[]] => [name, []]));
    for (const [name, needed] of this.#needs) for (const each of needed) needs.get(each)!.push(name);
    return new Graph(needs);
  }

  /** True when the name needs one of `others`, directly. */
  needsAny(name: string, others: ReadonlySet<string>): boolean {
    return this.#needs.get(name)!.some((each) => others.has(each));
  }

  /**
   * Visits every name once, as soon as all that it needs has been visited with true; what does not need each other is
   * visited at the same time. A visit that gives false keeps those that need it, directly or not, from being visited.
   * Resolves when all running visits have ended.
   * @param visit should not reject; if it does, so does `run`, after the visits under way.
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
