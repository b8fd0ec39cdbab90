import { parsePattern } from './parse-pattern.ts';
import type { Assertion, CharacterTest, PatternNode } from './pattern-node.ts';

const maxStates = 50_000;

/** A state of a match. A `split` tries its first branch first. */
export type State =
  | { readonly kind: 'accept' }
  | { readonly kind: 'character'; readonly test: CharacterTest; readonly next: number }
  | { readonly kind: 'assertion'; readonly at: Assertion; readonly next: number }
  | { readonly kind: 'split'; readonly to: number[] };

/** A pattern compiled to states. */
export interface Program {
  readonly states: readonly State[];
  readonly start: number;
}

/**
 * Compiles a pattern.
 *
 * @returns undefined when it has too many states
 * @throws PatternError when the API server would refuse it
 */
export function compilePattern(pattern: string): Program | undefined {
  const states: State[] = [{ kind: 'accept' }];
  const start = compile(parsePattern(pattern), 0, states);
  return start === undefined ? undefined : { states, start };
}

/** Adds the states of a node before those of `next`; undefined when there are too many. */
function compile(node: PatternNode, next: number, states: State[]): number | undefined {
  if (states.length > maxStates) return undefined;
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
      return to.every((target) => target !== undefined) ? split(to, states) : undefined;
    }
    default:
      return compileRepeat(node, next, states);
  }
}

type Repeat = Extract<PatternNode, { op: 'repeat' }>;

function compileRepeat(repeat: Repeat, next: number, states: State[]): number | undefined {
  const { part, min, max } = repeat;
  let after: number | undefined = next;
  if (max === Infinity) after = compileLoop(repeat, next, states);
  for (let i = max === Infinity ? 0 : max - min; i > 0 && after !== undefined; i--) {
    const body: number | undefined = compile(part, after, states);
    after = body === undefined ? undefined : split(inOrder(repeat, body, next), states);
  }
  for (let i = min; i > 0 && after !== undefined; i--) after = compile(part, after, states);
  return after;
}

function compileLoop(repeat: Repeat, next: number, states: State[]): number | undefined {
  const to: number[] = [];
  const again = split(to, states);
  const body = compile(repeat.part, again, states);
  if (body === undefined) return undefined;
  to.push(...inOrder(repeat, body, next));
  // A body that may be empty is left through its end, as in RE2, so it is tried at least once.
  return isNullable(repeat.part) ? split(inOrder(repeat, body, next), states) : again;
}

function inOrder({ lazy }: Repeat, body: number, next: number): number[] {
  return lazy ? [next, body] : [body, next];
}

function split(to: number[], states: State[]): number {
  return states.push({ kind: 'split', to }) - 1;
}

function isNullable(node: PatternNode): boolean {
  switch (node.op) {
    case 'character':
      return false;
    case 'assertion':
      return true;
    case 'sequence':
      return node.parts.every(isNullable);
    case 'choice':
      return node.parts.some(isNullable);
    default:
      return node.min === 0 || isNullable(node.part);
  }
}
