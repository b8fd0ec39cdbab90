import { type Choice, type Delivery, chooseBy } from '../../simulation/delivery.ts';
import { seededRandom } from '../../simulation/seeded-random.ts';

/** As whom a run looks and acts: that arrives at once, so looking does not change the order of the rest. */
export const ownAgent = 'ots-torture';

/** How the user agent of a life of the operator ends. @param life from 0 */
export function agentOf(life: number): string {
  return `life.${life}`;
}

/** Which life of the operator a user agent belongs to; -1 if it is not one. */
export function lifeOf(userAgent: string): number {
  return Number(/life\.(\d+)$/.exec(userAgent)?.[1] ?? -1);
}

/** Decides what arrives, and what of it the operator does not see yet. */
export class Views {
  readonly #user: string;
  readonly #atRandom: (ready: readonly Delivery[]) => Choice;
  readonly #repeats: boolean;
  /** The lives for which a resource is held; undefined is all. */
  readonly #held = new Map<string, number | undefined>();
  onEvent: (event: Delivery) => void = () => {};

  constructor(user: string, order: number, repeats: boolean) {
    this.#user = user;
    this.#atRandom = chooseBy(seededRandom(order));
    this.#repeats = repeats;
  }

  choose(ready: readonly Delivery[]): Choice {
    const own = ready.find(({ userAgent }) => userAgent.startsWith(ownAgent));
    if (own) return own;
    const free = this.#held.size === 0 ? ready : ready.filter((delivery) => !this.#isHeld(delivery));
    if (free.length === 0) return undefined;
    const choice = this.#atRandom(free) as Delivery;
    if (choice.kind !== 'event' || choice.user !== this.#user) return choice;
    this.onEvent(choice);
    return this.#repeats ? { repeat: choice } : choice;
  }

  #isHeld({ kind, resource, user, userAgent }: Delivery): boolean {
    if (kind !== 'event' || user !== this.#user || !this.#held.has(resource)) return false;
    const life = this.#held.get(resource);
    return life === undefined || lifeOf(userAgent) === life;
  }

  hold(resource: string, life?: number): void {
    this.#held.set(resource, life);
  }

  /** @returns whether something was held */
  release(): boolean {
    const wasHeld = this.#held.size > 0;
    this.#held.clear();
    return wasHeld;
  }
}
