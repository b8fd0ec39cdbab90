import type { Clock } from 'ots-apimachinery/clock/clock';

/** Waits that can be cut short. */
export interface Wakeable {
  /** Ends the current wait, or the next one if nothing is waiting. */
  wake(): void;
  /** Waits `milliseconds`, or until woken or aborted, and returns what ended the wait. */
  next(milliseconds: number): Promise<'due' | 'woken' | 'aborted'>;
}

/** For a loop that checks something periodically, and at once when it is woken. */
export function wakeable(clock: Clock, signal: AbortSignal): Wakeable {
  let woken = false;
  let finish: (() => void) | undefined;
  return {
    wake() {
      woken = true;
      finish?.();
    },
    async next(milliseconds) {
      if (!woken && !signal.aborted) {
        await new Promise<void>((resolve) => {
          const end = (): void => {
            clock.clearTimeout(timer);
            signal.removeEventListener('abort', end);
            resolve();
          };
          const timer = clock.setTimeout(end, milliseconds);
          signal.addEventListener('abort', end, { once: true });
          finish = end;
        });
      }
      if (signal.aborted) return 'aborted';
      if (!woken) return 'due';
      woken = false;
      return 'woken';
    },
  };
}
