import { type CST, Lexer, type LineCounter, Parser } from 'yaml';
import { maxDepth } from '../json/depth.ts';

/**
 * The maximum number of tokens in a text: each takes about a kilobyte once composed. The largest definitions that
 * kube-apiserver stores have fewer; kube-apiserver itself reads as many as fit in a body.
 */
const maxTokens = 500_000;

/** A tokenized YAML text that is not composed yet. */
export interface YamlTokens {
  readonly tokens: readonly CST.Token[];
  /** The nesting depth of lists and maps. */
  readonly depth: number;
}

/**
 * Tokenizes a YAML text. Unlike the later steps this does not recurse, so it checks the depth.
 *
 * @param lines receives the positions of line starts
 * @throws {SyntaxError} when the text is nested deeper than kube-apiserver reads, or is too long
 */
export function yamlTokens(text: string, lines: LineCounter): YamlTokens {
  const parser = new Parser(lines.addNewLine);
  const tokens: CST.Token[] = [];
  let depth = 0;
  let count = 0;
  lines.addNewLine(0);
  for (const lexeme of new Lexer().lex(text)) {
    count += 1;
    if (count > maxTokens)
      throw new SyntaxError(`yaml: more than ${maxTokens} words and signs; send JSON instead`);
    for (const token of parser.next(lexeme)) tokens.push(token);
    // The stack also holds the document and, at a scalar, the scalar.
    const bound = parser.stack.length;
    if (bound > depth) depth = bound;
    if (bound > maxDepth && isTooDeep(parser.stack)) throw tooDeep(lines.linePos(parser.offset).line);
  }
  for (const token of parser.end()) tokens.push(token);
  return { tokens, depth };
}

/** Counts block and flow collections separately. */
function isTooDeep(stack: readonly CST.Token[]): boolean {
  const inBrackets = stack.filter(({ type }) => type === 'flow-collection').length;
  const blocks = stack.filter(({ type }) => type === 'block-map' || type === 'block-seq').length;
  return Math.max(inBrackets, blocks) > maxDepth;
}

/** Go does not name the first line. */
function tooDeep(line: number): SyntaxError {
  return new SyntaxError(`yaml: ${line > 1 ? `line ${line}: ` : ''}exceeded max depth of ${maxDepth}`);
}
