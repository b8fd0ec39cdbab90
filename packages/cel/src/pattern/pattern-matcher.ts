import { type Border, borderOf, holdsBetween } from './border.ts';
import { type Program, compilePattern } from './compile-pattern.ts';
import type { StepBudget } from './search-pattern.ts';

/** How many states are cached; beyond that the cache is dropped and built again. */
const maxRemembered = 50_000;

/** All states that a match may be in after some character. */
interface Situation {
  readonly states: readonly number[];
  readonly before: Border;
  /** The following situation by the next character: ASCII ones, and others. */
  readonly ascii: (Situation | undefined)[];
  readonly others: Map<number, Situation>;
  /** Whether the pattern matches when the text ends here. */
  matchesAtEnd?: boolean;
}

const matchedSituation: Situation = { states: [], before: 'none', ascii: [], others: new Map() };

/**
 * Tells whether a pattern matches somewhere in a text. Follows all alternatives at once, so no pattern takes
 * exponential time, and caches what it finds: characters that lead to a known situation cost next to nothing.
 */
export class PatternMatcher {
  readonly #program: Program;
  /** For each state the round in which it was last reached. */
  readonly #reached: Uint32Array;
  #round = 0;
  #known = new Map<string, Situation>();
  #remembered = 0;

  constructor(program: Program) {
    this.#program = program;
    this.#reached = new Uint32Array(program.states.length);
  }

  /**
   * @returns undefined when the pattern has too many states
   * @throws PatternError when the API server would refuse it
   */
  static compile(pattern: string): PatternMatcher | undefined {
    const program = compilePattern(pattern);
    return program && new PatternMatcher(program);
  }

  /**
   * @param budget the number of steps to take, which each take about the same time; `left` is negative after a
   *   search that was given up
   * @returns undefined when it was given up
   */
  matches(text: string, budget: StepBudget): boolean | undefined {
    let situation = this.#situation([this.#program.start], 'none');
    for (let at = 0; at < text.length; at++) {
      let character = text.charCodeAt(at);
      if (character >= 0xd800 && character < 0xdc00) {
        character = text.codePointAt(at)!;
        if (character > 0xffff) at++;
      }
      const known = character < 128 ? situation.ascii[character] : situation.others.get(character);
      const next = known ?? this.#next(situation, character, budget);
      if (next === matchedSituation) return true;
      if (budget.left < 0) return undefined;
      situation = next;
    }
    situation.matchesAtEnd ??= this.#follow(situation, 'none', budget) === undefined;
    return situation.matchesAtEnd;
  }

  #next(situation: Situation, character: number, budget: StepBudget): Situation {
    if (this.#remembered > maxRemembered) {
      this.#known = new Map();
      this.#remembered = 0;
      // References to the dropped cache are dropped, too.
      return this.#next({ ...situation, ascii: [], others: new Map() }, character, budget);
    }
    const after = borderOf(character);
    const reading = this.#follow(situation, after, budget);
    const next = reading ? this.#situation(this.#read(reading, character), after) : matchedSituation;
    this.#remembered++;
    if (character < 128) situation.ascii[character] = next;
    else situation.others.set(character, next);
    return next;
  }

  /**
   * The character-reading states among all that are reachable without reading one.
   *
   * @returns undefined when the pattern has matched
   */
  #follow({ states, before }: Situation, after: Border, budget: StepBudget): number[] | undefined {
    this.#round++;
    const pending = [...states];
    const reading: number[] = [];
    while (pending.length > 0) {
      const index = pending.pop()!;
      budget.left--;
      if (this.#reached[index] === this.#round) continue;
      this.#reached[index] = this.#round;
      const state = this.#program.states[index]!;
      if (state.kind === 'accept') return undefined;
      if (state.kind === 'split') pending.push(...state.to);
      else if (state.kind === 'character') reading.push(index);
      else if (holdsBetween(state.at, before, after)) pending.push(state.next);
    }
    return reading;
  }

  /** The states after a character; another match may also start there. */
  #read(reading: readonly number[], character: number): number[] {
    const next = new Set([this.#program.start]);
    for (const index of reading) {
      const state = this.#program.states[index]!;
      if (state.kind === 'character' && state.test(character)) next.add(state.next);
    }
    return [...next].toSorted((a, b) => a - b);
  }

  #situation(states: readonly number[], before: Border): Situation {
    const key = `${before} ${states.join(' ')}`;
    const known = this.#known.get(key);
    if (known) return known;
    const situation: Situation = { states, before, ascii: [], others: new Map() };
    this.#known.set(key, situation);
    this.#remembered += states.length;
    return situation;
  }
}
