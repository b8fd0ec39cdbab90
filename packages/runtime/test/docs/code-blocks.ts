/** A fenced block of a Markdown file. */
export interface CodeBlock {
  /** `ts`, `yaml`, … */
  language: string;
  /** The file that it is the text of, of a block that begins with ```` ```ts title="main.ts" ````. */
  title: string | undefined;
  /** The number of its first line in the Markdown file, from 1. */
  line: number;
  code: string;
}

const opening = /^```(?<language>\w+)(?: title="(?<title>[^"]+)")?$/;

/** The fenced blocks of a Markdown text that name a language. */
export function codeBlocks(markdown: string): CodeBlock[] {
  const blocks: CodeBlock[] = [];
  let open: { language: string; title: string | undefined; line: number; lines: string[] } | undefined;
  for (const [index, text] of markdown.split('\n').entries()) {
    if (open && text === '```') {
      blocks.push({ ...open, code: `${open.lines.join('\n')}\n` });
      open = undefined;
    } else if (open) {
      open.lines.push(text);
    } else {
      const { language, title } = opening.exec(text)?.groups ?? {};
      if (language !== undefined) open = { language, title, line: index + 2, lines: [] };
    }
  }
  return blocks;
}

/** Code at the lines that it has in its Markdown file, so that what is said of it can be found there. */
export function atTheirLines(blocks: readonly CodeBlock[]): string {
  const lines: string[] = [];
  for (const { line, code } of blocks) {
    while (lines.length < line - 1) lines.push('');
    lines.push(...code.trimEnd().split('\n'));
  }
  return `${lines.join('\n')}\n`;
}
