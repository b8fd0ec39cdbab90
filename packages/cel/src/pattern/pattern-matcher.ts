import { type Border, borderOf, holdsBetween } from './border.ts';
import { type Program, compilePattern } from './compile-pattern.ts';
import type { StepBudget } from './search-pattern.ts';

/** How much is remembered, counted in states; behind that it is forgotten and found again. */
const maxRemembered = 50_000;

/** All that a match may have come to behind some character. */
interface Situation {
  readonly states: readonly number[];
  readonly before: Border;
  /** What follows, by the next character: those of ASCII, and the others. */
  readonly ascii: (Situation | undefined)[];
  readonly others: Map<number, Situation>;
  /** Whether the pattern matches when the text ends here. */
  matchesAtEnd?: boolean;
}

const matchedSituation: Situation = { states: [], before: 'none', ascii: [], others: new Map() };

/**
 * Tells whether a pattern matches somewhere in a text. All alternatives are followed at once, so that no pattern can take forever, and
 * what has been found out is remembered: characters behind which nothing new is met cost next to nothing.
 */
export class PatternMatcher {
  readonly #program: Program;
  /** For each state in which round it was reached last. */
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
   * @param budget how many steps may be taken, where each is about as long; `left` is negative behind it when the search was given up
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
      // What still refers to the forgotten is left behind.
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
   * The states that read a character, among all that are reached without one.
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

  /** The states behind a character; another match may start there as well. */
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
