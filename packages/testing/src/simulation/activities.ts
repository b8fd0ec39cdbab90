import { AsyncLocalStorage } from 'node:async_hooks';

interface Activity {
  readonly what: string;
  /** How many timers and deliveries it waits for. */
  waits: number;
}

/** What runs in a simulated cluster, and what each of it waits for. */
export class Activities {
  readonly #current = new AsyncLocalStorage<Activity | undefined>();
  readonly #running = new Set<Activity>();

  /** Runs something that has an end, such as a reconcile. */
  async run<T>(what: string, work: () => Promise<T>): Promise<T> {
    const activity: Activity = { what, waits: 0 };
    this.#running.add(activity);
    try {
      return await this.#current.run(activity, work);
    } finally {
      this.#running.delete(activity);
    }
  }

  /** Notes that the calling code waits for a timer or a delivery. @returns a function to call when the wait is over */
  wait(): () => void {
    const activity = this.#current.getStore();
    if (!activity) return () => {};
    activity.waits += 1;
    let isOver = false;
    return () => {
      if (!isOver) activity.waits -= 1;
      isOver = true;
    };
  }

  /** What waits neither for time nor for a delivery, and so for something outside of the simulation. */
  get busy(): string[] {
    return [...this.#running].filter(({ waits }) => waits === 0).map(({ what }) => what);
  }
}
