import type { Clock } from 'ots-apimachinery/clock/clock';
import type { Request } from '../controller/reconciler.ts';
import type { Logger } from '../logging/logger.ts';
import type { QueuedItem } from '../queue/work-queue.ts';
import type { ReconcileReason } from '../reasons/reason.ts';
import { reasonsOf } from '../reasons/reasons-of.ts';
import type { PendingReconcile, StartedReconcile } from './reconcile-record.ts';
import { ReconcileRecorder } from './reconcile-recorder.ts';
import { type Attachment, type Debugger, registry } from './registry.ts';
import { timeText } from './time-text.ts';

export interface ReconcileDebuggingOptions {
  controller: string;
  clock: Clock;
  /** The controller's own. */
  logger: Logger;
  /** Records the reconciles of this controller, whatever else is attached to the process. */
  own: Debugger | undefined;
}

/** A reconcile as its loop knows it. */
interface DebuggedRun {
  readonly id: string;
  readonly request: Request;
  readonly attempt: number;
  readonly priority: number;
  readonly reasons: readonly ReconcileReason[];
  /** In milliseconds of the clock. */
  readonly readyAt: number;
  readonly startedAt: number;
}

/** A reconcile that is recorded. */
export interface Recording {
  readonly recorder: ReconcileRecorder;
  /** Hands the record to the debuggers that knew of its start and are still there. */
  end(): void;
}

/** Between one controller and the debuggers: nothing is done for them while there are none. */
export class ReconcileDebugging {
  readonly #options: ReconcileDebuggingOptions;
  readonly #own: Attachment | undefined;

  constructor(options: ReconcileDebuggingOptions) {
    this.#options = options;
    this.#own = options.own && { debugger: options.own, holds: new Set() };
  }

  /** Whether a debugger wants to know. */
  get isOn(): boolean {
    return this.#own !== undefined || registry.attached.size > 0;
  }

  /** Resolves when every debugger admits the reconcile; undefined if none of them holds it. Never rejects. */
  admission(item: QueuedItem<Request>, attempt: number): Promise<unknown> | undefined {
    const asking = this.#attached.filter(({ debugger: each }) => 'admit' in each);
    if (asking.length === 0) return undefined;
    const { item: request, priority, causes, readyAt } = item;
    const entry = this.#pending({ request, attempt, priority, reasons: reasonsOf(causes), readyAt });
    const holds = asking.flatMap((attachment) => this.#ask(attachment, entry) ?? []);
    return holds.length > 0 ? Promise.all(holds) : undefined;
  }

  /** Records a reconcile that starts. */
  begin(run: DebuggedRun): Recording {
    const { clock } = this.#options;
    const attached = this.#attached;
    const recorder = new ReconcileRecorder(() => clock.now());
    let known: StartedReconcile | undefined;
    const started = (): StartedReconcile =>
      (known ??= {
        ...this.#pending(run),
        id: run.id,
        startedAt: timeText(clock, run.startedAt)!,
        waitedSeconds: (run.startedAt - run.readyAt) / 1000,
      });
    for (const { debugger: each } of attached)
      if (each.started) this.#contain(() => each.started!(started()));
    return {
      recorder,
      end: () => {
        const record = recorder.end(started());
        for (const attachment of attached) {
          const { debugger: each } = attachment;
          if (each.ended && this.#isAttached(attachment)) this.#contain(() => each.ended!(record));
        }
      },
    };
  }

  get #attached(): Attachment[] {
    return this.#own ? [this.#own, ...registry.attached] : [...registry.attached];
  }

  #isAttached(attachment: Attachment): boolean {
    return attachment === this.#own || registry.attached.has(attachment);
  }

  #pending(run: Omit<DebuggedRun, 'id' | 'startedAt'>): PendingReconcile {
    const { controller, clock } = this.#options;
    const { request, attempt, priority, reasons, readyAt } = run;
    return {
      controller,
      request: { ...request },
      attempt,
      priority,
      reasons,
      queuedAt: timeText(clock, readyAt)!,
    };
  }

  /** Undefined if the debugger does not hold it. */
  #ask({ debugger: each, holds }: Attachment, entry: PendingReconcile): Promise<void> | undefined {
    const admitted = this.#contain(() => each.admit?.(entry));
    if (admitted === undefined) return undefined;
    return new Promise((resolve) => {
      const release = (): void => {
        holds.delete(release);
        resolve();
      };
      holds.add(release);
      Promise.resolve(admitted)
        .catch((error: unknown) => this.#warn(error))
        .finally(release);
    });
  }

  /** A debugger that fails must not fail the operator. */
  #contain<T>(call: () => T): T | undefined {
    try {
      return call();
    } catch (error) {
      this.#warn(error);
      return undefined;
    }
  }

  #warn(error: unknown): void {
    this.#options.logger.warn({ err: error }, 'debugger threw');
  }
}
