import { cloneJson } from '../json/clone-json.ts';
import { jsonEqual } from '../json/json-equal.ts';

/**
 * The second round of the mutating phase: a webhook or policy with the reinvocation policy `IfNeeded` runs again when
 * the object changed after it ran. Plugins of the server run again in any case.
 */
export class Reinvocation {
  /** Whether this is the second round. */
  isSecondRound = false;
  /** Whether a webhook or a policy changed the object, so that there is a second round. */
  isNeeded = false;
  readonly #ofPlugins = new Map<string, Reinvoked>();

  /** What one plugin reinvokes. */
  of(plugin: string): Reinvoked {
    let reinvoked = this.#ofPlugins.get(plugin);
    if (!reinvoked) this.#ofPlugins.set(plugin, (reinvoked = new Reinvoked(this)));
    return reinvoked;
  }
}

/** The webhooks, or the policies, that run again. */
class Reinvoked {
  readonly #reinvocation: Reinvocation;
  #candidates = new Set<string>();
  readonly #due = new Set<string>();
  #output: unknown;

  constructor(reinvocation: Reinvocation) {
    this.#reinvocation = reinvocation;
  }

  /** Starts the plugin's part of a round: other plugins may have changed the object since its last one. */
  start(object: unknown): void {
    if (this.#reinvocation.isSecondRound && !jsonEqual(this.#output, object)) this.#requireAll();
  }

  /** Whether a webhook or policy runs in this round. */
  runs(id: string): boolean {
    return !this.#reinvocation.isSecondRound || this.#due.has(id);
  }

  /**
   * Records that one has run.
   *
   * @param changed whether it changed the object
   * @param mayRunAgain whether its policy is `IfNeeded`
   */
  ran(id: string, changed: boolean, mayRunAgain: boolean): void {
    if (changed) {
      this.#requireAll();
      this.#reinvocation.isNeeded = true;
    }
    if (mayRunAgain) this.#candidates.add(id);
  }

  /** Ends the plugin's part of a round. */
  end(object: unknown): void {
    this.#output = cloneJson(object);
  }

  #requireAll(): void {
    for (const id of this.#candidates) this.#due.add(id);
    this.#candidates = new Set();
  }
}
