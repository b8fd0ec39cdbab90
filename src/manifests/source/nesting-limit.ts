import type { Span } from './source-text.ts';

/**
 * Native parsers recurse. Beyond about 4000 levels, the stack of a default thread overflows and the process
 * dies.
 */
const maxNesting = 2000;

const nestingToken =
  /\/\/[^\n\r]*|\/\*[^]*?(?:\*\/|$)|'(?:[^'\\\n\r]|\\.)*'|"(?:[^"\\\n\r]|\\.)*"|`(?:[^`\\$]|\\.|\$(?!\{))*`|=>|[([{<]|[)\]}>]|[;,]|[?:=!~\-*&]|\b(?:if|else|for|while|do|with|new|await|yield|typeof|void|delete|keyof|unique|readonly|infer)\b/g;

const opener: Record<string, string> = { ')': '(', ']': '[', '}': '{' };

/**
 * Finds source text that nests so deeply that parsing it could overflow the native stack, which JavaScript
 * cannot catch. Counts open brackets and the tokens that nest without brackets (`a ? b : c ? …`, `if … else
 * if …`, `x = y = …`) since the last `;` or `,`. This overestimates, but ordinary code stays far below the
 * limit.
 * @returns where the text exceeds the limit, or undefined
 */
export function findExcessiveNesting(text: string): Span | undefined {
  const levels = [{ bracket: '', chain: 0 }];
  let depth = 0;
  const top = () => levels[levels.length - 1]!;
  const close = () => {
    depth -= levels.pop()!.chain + 1;
  };
  // A `<` that is a comparison is never closed. It ends with its statement or the brackets around it.
  const closeComparisons = () => {
    while (top().bracket === '<') close();
  };
  for (const match of text.matchAll(nestingToken)) {
    const token = match[0];
    if (token.length > 1 && '/\'"`'.includes(token[0]!)) continue;
    if (token === '>') {
      if (top().bracket === '<') close();
    } else if (token in opener) {
      closeComparisons();
      if (top().bracket === opener[token]) close();
    } else if (token === ';' || token === ',') {
      if (token === ';') closeComparisons();
      depth -= top().chain;
      top().chain = 0;
    } else {
      if ('([{<'.includes(token)) levels.push({ bracket: token, chain: 0 });
      else top().chain++;
      if (++depth > maxNesting) return { start: match.index, end: match.index + token.length };
    }
  }
  return undefined;
}
