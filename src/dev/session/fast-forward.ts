import type { DevState } from '../model/dev-state.ts';

/** Between two steps, in milliseconds of this machine. */
const stepMs = 50;
/** How far the time of the cluster moves with each, in seconds: ten minutes pass in a second. */
const stepSeconds = 30;

/** Lets the time of a session pass fast while its operator waits for something. While it works, time passes as usual. */
export class FastForward {
  readonly #timer: NodeJS.Timeout;

  /** @param advance moves the time of the session, by a number of seconds */
  constructor(state: () => DevState, advance: (seconds: number) => void) {
    this.#timer = setInterval(() => {
      if (isIdle(state())) advance(stepSeconds);
    }, stepMs);
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}

/** Whether the operator runs, no reconcile does, and a person does not hold any. */
function isIdle({ operator, queues, reconciles }: DevState): boolean {
  const entries = queues.flatMap((queue) => queue.entries);
  return (
    operator.phase === 'running' &&
    entries.every(({ state }) => state === 'requeue' || state === 'backoff') &&
    reconciles.every(({ result }) => result !== undefined)
  );
}
