import { applyChange } from '../../model/apply-change.ts';
import type { DevChange } from '../../model/dev-change.ts';
import type { DevState } from '../../model/dev-state.ts';

/**
 * - `connecting`: nothing was received yet
 * - `open`: what the page shows is what is
 * - `lost`: the session does not answer; the page tries again
 * - `ended`: the session said that it ends
 */
export type Connection = 'connecting' | 'open' | 'lost' | 'ended';

/** What the page knows. */
export interface SessionView {
  readonly connection: Connection;
  /** Absent until it is received. */
  readonly state?: DevState;
}

const retryMs = 2000;

/** Follows the session by its server-sent events. Tells its listener about changes once per frame. */
export class SessionStore {
  #view: SessionView = { connection: 'connecting' };
  readonly #listener: (view: SessionView) => void;
  #isScheduled = false;

  constructor(listener: (view: SessionView) => void) {
    this.#listener = listener;
  }

  /** Starts to follow, and reconnects until the session ends. */
  connect(): void {
    const source = new EventSource('api/events');
    source.addEventListener('state', ({ data }) => {
      this.#set({ connection: 'open', state: JSON.parse(data) as DevState });
    });
    for (const type of Object.keys(changeTypes)) {
      source.addEventListener(type, ({ data }: MessageEvent<string>) => {
        const { state } = this.#view;
        if (state) this.#set({ ...this.#view, state: applyChange(state, JSON.parse(data) as DevChange) });
      });
    }
    source.addEventListener('end', () => {
      source.close();
      this.#set({ ...this.#view, connection: 'ended' });
    });
    source.addEventListener('error', () => {
      this.#set({ ...this.#view, connection: 'lost' });
      // The browser itself tries again unless the response was not a stream.
      if (source.readyState === EventSource.CLOSED) setTimeout(() => this.connect(), retryMs);
    });
  }

  #set(view: SessionView): void {
    this.#view = view;
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    requestAnimationFrame(() => {
      this.#isScheduled = false;
      this.#listener(this.#view);
    });
  }
}

/** A record, so the compiler finds a type that is missing here. */
const changeTypes: Record<DevChange['type'], true> = {
  cluster: true,
  operator: true,
  object: true,
  forget: true,
  reconcile: true,
  queues: true,
  request: true,
  rights: true,
  event: true,
  log: true,
  problems: true,
};
