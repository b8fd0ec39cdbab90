import type { Lease } from 'ots-kubernetes/coordination/v1';
import type { Client } from '../client/client.ts';
import type { Clock } from 'ots-apimachinery/clock/clock';
import { withDeadline } from '../clock/with-deadline.ts';
import type { EventObserver } from '../events/event-observer.ts';
import { EventRecorder } from '../events/event-recorder.ts';
import type { Logger } from '../logging/logger.ts';

export interface EventRecordersOptions {
  client: Client;
  clock: Clock;
  /** Times the last writes. */
  networkClock: Clock;
  /** A number in [0, 1); see `ConnectionConfig.random`. */
  random?: (() => number) | undefined;
  logger: Logger;
  observer?: EventObserver | undefined;
}

/** How long the last events may take, in milliseconds: they are not worth keeping a pod for. */
const flushTimeout = 2000;
const late = (): Error => new Error('no time is left for events');

/** The event recorders of a manager. */
export class EventRecorders {
  readonly #options: EventRecordersOptions;
  readonly #recorders = new Map<string, EventRecorder>();

  constructor(options: EventRecordersOptions) {
    this.#options = options;
  }

  /** @throws {UsageError} if events cannot have this name. */
  recorder(controller: string): EventRecorder {
    const existing = this.#recorders.get(controller);
    if (existing) return existing;
    const recorder = new EventRecorder({ ...this.#options, controller });
    this.#recorders.set(controller, recorder);
    return recorder;
  }

  /** Records who leads in events of the Lease, as client-go does. */
  electionEvent(lease: Lease, leads: boolean, note: string): void {
    this.recorder('leader-election').event(lease, {
      type: 'Normal',
      reason: 'LeaderElection',
      action: leads ? 'BecameLeader' : 'StoppedLeading',
      note,
    });
  }

  /** Writes the remaining events if time is left, and stops. */
  async stop(inTime: boolean): Promise<void> {
    const { networkClock } = this.#options;
    await withDeadline(networkClock, inTime ? flushTimeout : 0, undefined, late, async (signal) => {
      await Promise.all([...this.#recorders.values()].map((recorder) => recorder.stop(signal)));
    });
  }
}
