import { applyChange } from '../../src/dev/model/apply-change.ts';
import type { DevAction } from '../../src/dev/model/dev-action.ts';
import type { DevChange } from '../../src/dev/model/dev-change.ts';
import type { DevState } from '../../src/dev/model/dev-state.ts';
import { type Page, startPage } from '../../src/dev/server/start-page.ts';

/** A session whose state a test writes. */
export class ScriptedSession implements AsyncDisposable {
  /** What the page asked for. */
  readonly actions: DevAction[] = [];
  /** How often a client has read the state. */
  reads = 0;
  /** Does what the page asks for. */
  onAction: (action: DevAction) => void | Promise<void> = () => {};
  readonly #listeners = new Set<(change: DevChange) => void>();
  #state: DevState;
  #page: Page | undefined;

  constructor(state: DevState) {
    this.#state = state;
  }

  static async start(state: DevState): Promise<ScriptedSession> {
    const session = new ScriptedSession(state);
    await session.listen();
    return session;
  }

  get page(): Page {
    return this.#page!;
  }

  get state(): DevState {
    return this.#state;
  }

  get listeners(): number {
    return this.#listeners.size;
  }

  async listen(): Promise<void> {
    this.#page = await startPage({
      host: '127.0.0.1',
      state: () => {
        this.reads += 1;
        return this.#state;
      },
      subscribe: (listener) => {
        this.#listeners.add(listener);
        return () => this.#listeners.delete(listener);
      },
      act: async (action) => {
        this.actions.push(action);
        await this.onAction(action);
      },
    });
  }

  change(change: DevChange): void {
    this.#state = applyChange(this.#state, change);
    for (const listener of this.#listeners) listener(change);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.page.close();
  }
}
