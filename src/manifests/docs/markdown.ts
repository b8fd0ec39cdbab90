/** A run of backticks, and the same run again: what stands between them is code. */
const codePattern = /(?<!`)(`+)(?!`)([^]*?[^`])\1(?!`)/g;

/**
 * Prose of an author as Markdown of one line, fit for a table: its emphasis, links and code stay, HTML is shown instead
 * of interpreted, and a backtick without a partner is only a backtick.
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

/** {@link prose} as paragraphs, with lists and blocks of code, which cannot become a heading or a rule of the page. */
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
  for (const match of text.matchAll(codePattern)) {
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
      // What the author escaped is an entity now, and needs no escape.
      return `${escapes.slice(escapes.length % 2)}${entities[character]}`;
    })
    .replaceAll(/(?<!\\)`/g, '\\`');
}

/** Text as code: shown as it is, whatever is in it. */
export function code(text: string): string {
  const line = text.replaceAll(/\s*[\r\n]+\s*/g, ' ');
  // Between backticks nothing says that a bar does not end the cell of a table.
  if (line.includes('|')) return `<code>${line.replaceAll(/[!-/:-@[-`{-~]/g, entity)}</code>`;
  const longest = Math.max(0, ...(line.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  // A blank on either side belongs to the fence.
  const pad = line === '' || /^[` ]|[` ]$/.test(line) ? ' ' : '';
  return `${fence}${pad}${line}${pad}${fence}`;
}

function entity(character: string): string {
  return `&#${character.charCodeAt(0)};`;
}
