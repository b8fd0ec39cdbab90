import type { Duration } from 'ots-kubernetes';

/** The calls of a `SimulatedApi`. */
export type SimulatedOperation = 'create' | 'get' | 'update' | 'delete';

/** What happens to calls of a `SimulatedApi`: one of these. */
export type SimulatedApiEffect =
  /** The API refuses the call with this message, and does nothing. */
  | { readonly refuse: string }
  /** The connection breaks before the API does what it was asked to do, or after. */
  | { readonly disconnect: 'before' | 'after' }
  /** The API never responds, before it does what it was asked to do, or after. The call ends when its signal aborts. */
  | { readonly timeout: 'before' | 'after' }
  /** The API begins later. A duration, or milliseconds. */
  | { readonly latency: Duration | number };

/** An effect that was added. */
export interface AddedApiEffect {
  /** How many calls it changed. */
  readonly hits: number;
  /** Ends it. */
  remove(): void;
}

/** A `SimulatedApi` did not do what it was asked to do, or its response was lost. */
export class SimulatedApiError extends Error {
  override readonly name = 'SimulatedApiError';
  readonly code: 'REFUSED' | 'ALREADY_EXISTS' | 'NOT_FOUND' | 'CONNECTION_LOST';

  constructor(code: SimulatedApiError['code'], message: string) {
    super(message);
    this.code = code;
  }
}
