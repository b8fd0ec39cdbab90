import { applyChange } from '../model/apply-change.ts';
import type { DevChange } from '../model/dev-change.ts';
import type { DevState, ObjectState, ProblemState } from '../model/dev-state.ts';

/** The state of a session, and who wants to know when it changes. */
export class DevStore {
  readonly #listeners = new Set<(change: DevChange) => void>();
  /** Those of the state. A copy for each change, as the page needs it, would take long with thousands of them. */
  readonly #objects: Record<string, ObjectState>;
  #state: DevState;

  constructor(initial: DevState) {
    this.#objects = { ...initial.objects };
    this.#state = { ...initial, objects: this.#objects };
  }

  /** Its objects change with the session; its other parts are replaced. */
  get state(): DevState {
    return this.#state;
  }

  /** @param listener is called after each change, with that change. @returns ends it */
  subscribe(listener: (change: DevChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  apply(change: DevChange): void {
    if (change.type === 'object') this.#objects[change.value.uid] = change.value;
    else if (change.type === 'forget') delete this.#objects[change.value];
    else this.#state = applyChange(this.#state, change);
    for (const listener of this.#listeners) listener(change);
  }

  /** Replaces what a source had reported. @param found empty when all is well there */
  report(source: ProblemState['source'], found: readonly Omit<ProblemState, 'source'>[]): void {
    const before = this.#state.problems;
    const others = before.filter((problem) => problem.source !== source);
    if (found.length === 0 && others.length === before.length) return;
    this.apply({
      type: 'problems',
      value: [...others, ...found.map((problem) => ({ ...problem, source }))],
    });
  }
}
