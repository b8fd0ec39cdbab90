import { isWordCharacter } from './parse-escape.ts';
import { parsePattern } from './parse-pattern.ts';
import type { Assertion, CharacterTest, PatternNode } from './pattern-node.ts';

/** More steps than this are not worth a check of one default. */
const MAX_STEPS = 20_000_000;
const MAX_STATES = 50_000;

type State =
  | { readonly kind: 'character'; readonly test: CharacterTest; next: number }
  | { readonly kind: 'assertion'; readonly at: Assertion; next: number }
  | { readonly kind: 'split'; readonly to: number[] };

const ACCEPT = 0;

/**
 * Whether a pattern matches somewhere in a text, as the API server sees it. The time is linear in the text: all alternatives are followed
 * at once, so no pattern can take forever.
 * @returns undefined when pattern and text are so large that it would still take too long
 */
export function matchesPattern(pattern: string, text: string): boolean | undefined {
  const states: State[] = [{ kind: 'split', to: [] }];
  const start = compile(parsePattern(pattern), ACCEPT, states);
  if (start === undefined || states.length * text.length > MAX_STEPS) return undefined;
  const codePoints = Array.from(text, (character) => character.codePointAt(0)!);
  let current = new Set<number>();
  for (let i = 0; ; i++) {
    follow(start, i, codePoints, states, current);
    if (current.has(ACCEPT)) return true;
    if (i === codePoints.length) return false;
    const next = new Set<number>();
    for (const index of current) {
      const state = states[index]!;
      if (state.kind === 'character' && state.test(codePoints[i]!))
        follow(state.next, i + 1, codePoints, states, next);
    }
    current = next;
  }
}

/** Adds the states of a node before those of `next`; undefined when they become too many. */
function compile(node: PatternNode, next: number, states: State[]): number | undefined {
  if (states.length > MAX_STATES) return undefined;
  switch (node.op) {
    case 'character':
      return states.push({ kind: 'character', test: node.test, next }) - 1;
    case 'assertion':
      return states.push({ kind: 'assertion', at: node.at, next }) - 1;
    case 'sequence':
      return node.parts.reduceRight<number | undefined>(
        (after, part) => (after === undefined ? after : compile(part, after, states)),
        next,
      );
    case 'choice': {
      const to = node.parts.map((part) => compile(part, next, states));
      if (!to.every((target) => target !== undefined)) return undefined;
      return states.push({ kind: 'split', to }) - 1;
    }
    default:
      return compileRepeat(node, next, states);
  }
}

function compileRepeat(
  { part, min, max }: Extract<PatternNode, { op: 'repeat' }>,
  next: number,
  states: State[],
): number | undefined {
  let after: number | undefined = next;
  if (max === Infinity) {
    const split: State = { kind: 'split', to: [next] };
    after = states.push(split) - 1;
    const body = compile(part, after, states);
    if (body === undefined) return undefined;
    split.to.push(body);
  }
  for (let i = max === Infinity ? 0 : max - min; i > 0 && after !== undefined; i--) {
    const body: number | undefined = compile(part, after, states);
    after = body === undefined ? undefined : states.push({ kind: 'split', to: [body, next] }) - 1;
  }
  for (let i = min; i > 0 && after !== undefined; i--) after = compile(part, after, states);
  return after;
}

/** Adds a state and all that can be reached from it without reading a character. */
function follow(
  start: number,
  at: number,
  text: readonly number[],
  states: readonly State[],
  into: Set<number>,
): void {
  const pending = [start];
  while (pending.length > 0) {
    const index = pending.pop()!;
    if (into.has(index)) continue;
    into.add(index);
    const state = states[index]!;
    if (state.kind === 'split') pending.push(...state.to);
    else if (state.kind === 'assertion' && holds(state.at, at, text)) pending.push(state.next);
  }
}

function holds(assertion: Assertion, at: number, text: readonly number[]): boolean {
  switch (assertion) {
    case 'text-start':
      return at === 0;
    case 'text-end':
      return at === text.length;
    case 'line-start':
      return at === 0 || text[at - 1] === 10;
    case 'line-end':
      return at === text.length || text[at] === 10;
    default: {
      const before = at > 0 && isWordCharacter(text[at - 1]!);
      const after = at < text.length && isWordCharacter(text[at]!);
      return (before !== after) === (assertion === 'word-boundary');
    }
  }
}
