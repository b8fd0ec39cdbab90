import type { Program, State } from './compile-pattern.ts';
import { type Border, borderOf, holdsBetween } from './border.ts';

/** The remaining steps; an object, so several searches can share it. */
export interface StepBudget {
  left: number;
}

/** The start and end of a match, in code points. */
export type Match = readonly [start: number, end: number];

/** A state of a match with its start. */
interface Thread {
  readonly state: number;
  readonly start: number;
}

/**
 * Searches a text for a pattern. Follows all alternatives at once, so the time is linear in the text.
 *
 * @param text the code points
 * @param from the start position; the text before still counts for `^` and `\b`
 * @param earliest whether any match will do; otherwise finds the same one as Go
 * @param budget `left` is negative after a search that was given up
 */
export function searchPattern(
  program: Program,
  text: readonly number[],
  from: number,
  earliest: boolean,
  budget: StepBudget,
): Match | undefined {
  const search = new Search(program, text, budget);
  let found: Match | undefined;
  let threads: Thread[] = [];
  for (let at = from; at <= text.length && budget.left >= 0; at++) {
    // A match that starts later is worse than all that have started.
    if (!found) search.follow(program.start, at, at, threads);
    if (threads.length === 0 && found) break;
    search.reset();
    const next: Thread[] = [];
    for (const { state: index, start } of threads) {
      const state = program.states[index]!;
      if (state.kind === 'accept') {
        found = [start, at];
        if (earliest) return found;
        break;
      }
      if (state.kind === 'character' && at < text.length && state.test(text[at]!))
        search.follow(state.next, start, at + 1, next);
    }
    threads = next;
  }
  return found;
}

class Search {
  readonly #states: readonly State[];
  readonly #text: readonly number[];
  readonly #budget: StepBudget;
  /** For each state the last position at which it was reached. */
  readonly #seen: Uint32Array;
  #position = 1;

  constructor(program: Program, text: readonly number[], budget: StepBudget) {
    this.#states = program.states;
    this.#seen = new Uint32Array(program.states.length);
    this.#text = text;
    this.#budget = budget;
  }

  /** Starts a new position. */
  reset(): void {
    this.#position++;
  }

  /** Adds everything reachable from a state without reading a character, the best first. */
  follow(from: number, start: number, at: number, into: Thread[]): void {
    const pending = [from];
    while (pending.length > 0) {
      const index = pending.pop()!;
      this.#budget.left--;
      if (this.#seen[index] === this.#position) continue;
      this.#seen[index] = this.#position;
      const state = this.#states[index]!;
      if (state.kind === 'split') {
        for (let i = state.to.length - 1; i >= 0; i--) pending.push(state.to[i]!);
      } else if (state.kind === 'assertion') {
        if (holdsBetween(state.at, this.#border(at - 1), this.#border(at))) pending.push(state.next);
      } else {
        into.push({ state: index, start });
      }
    }
  }
  #border(at: number): Border {
    const character = this.#text[at];
    return character === undefined ? 'none' : borderOf(character);
  }
}

/** The maximum number of steps of a match: about a second. */
export const maxSteps = 5_000_000;
