import { type CST, Lexer, type LineCounter, Parser } from 'yaml';
import { maxDepth } from '../json/stack-depth.ts';

/**
 * How many words and signs a text may have: each takes about a kilobyte once it is composed. Definitions of the largest size that a
 * kube-apiserver stores have fewer; it reads as many as a body can hold.
 */
const longest = 500_000;

/** A text in YAML, taken apart but not composed yet. */
export interface YamlTokens {
  readonly tokens: readonly CST.Token[];
  /** How deep lists and maps are nested. */
  readonly depth: number;
}

/**
 * Takes a text in YAML apart. This uses no recursion, other than all that can be done with the tokens, so the depth is bounded here.
 *
 * @param lines takes where the lines begin
 * @throws {SyntaxError} when it is nested deeper than a kube-apiserver reads, or is too long
 */
export function yamlTokens(text: string, lines: LineCounter): YamlTokens {
  const parser = new Parser(lines.addNewLine);
  const tokens: CST.Token[] = [];
  let depth = 0;
  let count = 0;
  lines.addNewLine(0);
  for (const lexeme of new Lexer().lex(text)) {
    count += 1;
    if (count > longest)
      throw new SyntaxError(`yaml: more than ${longest} words and signs; send JSON instead`);
    for (const token of parser.next(lexeme)) tokens.push(token);
    // On it are the document and, where one is at hand, a scalar, too.
    const bound = parser.stack.length;
    if (bound > depth) depth = bound;
    if (bound > maxDepth && isTooDeep(parser.stack)) throw tooDeep(lines.linePos(parser.offset).line);
  }
  for (const token of parser.end()) tokens.push(token);
  return { tokens, depth };
}

/** Blocks and what stands in brackets are counted apart. */
function isTooDeep(stack: readonly CST.Token[]): boolean {
  const inBrackets = stack.filter(({ type }) => type === 'flow-collection').length;
  const blocks = stack.filter(({ type }) => type === 'block-map' || type === 'block-seq').length;
  return Math.max(inBrackets, blocks) > maxDepth;
}

/** Go does not name the first line. */
function tooDeep(line: number): SyntaxError {
  return new SyntaxError(`yaml: ${line > 1 ? `line ${line}: ` : ''}exceeded max depth of ${maxDepth}`);
}
