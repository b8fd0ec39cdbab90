import { AsyncLocalStorage } from 'node:async_hooks';

interface Activity {
  readonly owner: Activities;
  readonly what: string;
  /** How many timers and deliveries it waits for. */
  waits: number;
}

/**
 * What the running code belongs to. All clusters share it: every promise costs time for each storage that was ever used, and Node.js 20
 * never forgets one.
 */
const current = new AsyncLocalStorage<Activity>();

/** What runs in a simulated cluster, and what each of it waits for. */
export class Activities {
  readonly #running = new Set<Activity>();

  /** Runs something that has an end, such as a reconcile. */
  async run<T>(what: string, work: () => Promise<T>): Promise<T> {
    const activity: Activity = { owner: this, what, waits: 0 };
    this.#running.add(activity);
    try {
      return await current.run(activity, work);
    } finally {
      this.#running.delete(activity);
    }
  }

  /** Notes that the calling code waits for a timer or a delivery. @returns a function to call when the wait is over */
  wait(): () => void {
    const activity = current.getStore();
    if (activity?.owner !== this) return () => {};
    activity.waits += 1;
    let isOver = false;
    return () => {
      if (!isOver) activity.waits -= 1;
      isOver = true;
    };
  }

  /** Whether the calling code belongs to what runs. */
  get isCalling(): boolean {
    return current.getStore()?.owner === this;
  }

  /** What waits neither for time nor for a delivery, and so for something outside of the simulation. */
  get busy(): string[] {
    return [...this.#running].filter(({ waits }) => waits === 0).map(({ what }) => what);
  }
}
