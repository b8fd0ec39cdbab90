/** Matches a code span: a run of backticks, and the same run again. */
const codeSpan = /(?<!`)(`+)(?!`)([^]*?[^`])\1(?!`)/g;

/**
 * Renders an author's prose as one line of Markdown for a table. Emphasis, links and code are kept, HTML is
 * shown instead of interpreted, and an unmatched backtick is only a backtick.
 */
export function prose(text: string): string {
  return outsideOfCode(text.replaceAll(/\r\n?/g, '\n'), plain, (content) =>
    code(content.replaceAll(/^\n|\n$/g, '')),
  )
    .trim()
    .replaceAll(/\s*\n\s*\n\s*/g, '<br><br>')
    .replaceAll(/\s*\n\s*(?=(?:[-*+]|\d+[.)])\s)/g, '<br>')
    .replaceAll(/\s*\n\s*/g, ' ');
}

/**
 * Renders {@link prose} as paragraphs with lists and code blocks, which cannot become a heading or a rule of
 * the page.
 */
export function paragraphs(text: string): string {
  return outsideOfCode(text.replaceAll(/\r\n?/g, '\n'), withoutBlocks, (_, raw) => raw);
}

function withoutBlocks(text: string): string {
  return plain(text).replaceAll(/^([^\S\n]*)(?=#|(?:[-=*_][^\S\n]*)+$)/gm, '$1\\');
}

function outsideOfCode(
  text: string,
  change: (part: string) => string,
  changeCode: (content: string, raw: string) => string,
): string {
  let result = '';
  let end = 0;
  for (const match of text.matchAll(codeSpan)) {
    const [raw, , content = ''] = match;
    result += change(text.slice(end, match.index)) + changeCode(content.replace(/^ (.*[^ ].*) $/, '$1'), raw);
    end = match.index + raw.length;
  }
  return result + change(text.slice(end));
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '|': '&#124;' };

function plain(text: string): string {
  return text
    .replaceAll(/(\\*)([&<|])/g, (_, escapes: string, character: string) => {
      // The entity replaces the author's escape.
      return `${escapes.slice(escapes.length % 2)}${entities[character]}`;
    })
    .replaceAll(/(?<!\\)`/g, '\\`');
}

/** Renders text as code, shown verbatim whatever it contains. */
export function code(text: string): string {
  const line = text.replaceAll(/\s*[\r\n]+\s*/g, ' ');
  // Even in backticks, a bar ends the cell of a table.
  if (line.includes('|')) return `<code>${line.replaceAll(/[!-/:-@[-`{-~]/g, entity)}</code>`;
  const longest = Math.max(0, ...(line.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  // Markdown strips one blank on either side of the code.
  const pad = line === '' || /^[` ]|[` ]$/.test(line) ? ' ' : '';
  return `${fence}${pad}${line}${pad}${fence}`;
}

function entity(character: string): string {
  return `&#${character.charCodeAt(0)};`;
}
