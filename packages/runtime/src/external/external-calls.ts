import type { Clock } from 'ots-apimachinery/clock/clock';
import { withDeadline } from '../clock/with-deadline.ts';
import { currentWork } from '../context/work-context.ts';
import type { ReconcileContext } from '../controller/reconciler.ts';
import { unlessAborted } from '../signals/until-aborted.ts';
import { ExternalCallError, type ExternalOperation, ExternalTimeoutError } from './external-errors.ts';
import type { ExternalContext } from './external-resource.ts';

/** A call to make. */
export interface ExternalCall<R> {
  readonly operation: ExternalOperation;
  readonly identity: string;
  /** True lets the call end after the reconcile should have: its result cannot be found out later. */
  readonly isUninterrupted?: boolean;
  readonly work: (context: ExternalContext) => Promise<R>;
}

/** Calls an external API under a timeout, and changes nothing there when the work must no longer write. */
export class ExternalCalls {
  readonly #clock: Clock;
  readonly #timeout: number;

  /**
   * @param clock that of the network.
   * @param timeout in milliseconds.
   */
  constructor(clock: Clock, timeout: number) {
    this.#clock = clock;
    this.#timeout = timeout;
  }

  /**
   * Ends when the signal of the reconcile aborts or the time is over, even if the API client ignores its signal.
   * @throws {ExternalCallError} if the call fails or takes too long. The reason of the abort. What the fence throws.
   */
  async make<R>(
    { operation, identity, isUninterrupted = false, work }: ExternalCall<R>,
    context: ReconcileContext,
  ): Promise<R> {
    context.signal.throwIfAborted();
    // Requests to the API server pass the fence in the transport; a call elsewhere is fenced only here.
    if (operation !== 'observe') currentWork()?.fence?.();
    const parent = isUninterrupted ? undefined : context.signal;
    const expired = (): Error => new ExternalTimeoutError(this.#timeout);
    try {
      return await withDeadline(this.#clock, this.#timeout, parent, expired, (signal) => {
        const call = async (): Promise<R> => work(contextOf(context, signal, identity));
        return unlessAborted(call(), signal);
      });
    } catch (error) {
      if (parent?.aborted) throw error;
      throw new ExternalCallError(operation, error);
    }
  }
}

/** Not a spread: reading the reasons of a context costs something. */
function contextOf(context: ReconcileContext, signal: AbortSignal, identity: string): ExternalContext {
  const own = {
    signal: { value: signal, enumerable: true },
    identity: { value: identity, enumerable: true },
  };
  const properties = { ...Object.getOwnPropertyDescriptors(context), ...own };
  return Object.defineProperties({}, properties) as ExternalContext;
}
