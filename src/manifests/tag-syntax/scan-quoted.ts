/** The text within a pair of quotes. */
export interface QuotedText {
  readonly value: string;
  /** Where each UTF-16 unit of the value is written, followed by where the value ends. */
  readonly positions: readonly number[];
  /** Offset after the closing quote. */
  readonly end: number;
}

/** Why a text cannot be read, and where. */
export interface ScanProblem {
  readonly message: string;
  readonly at: number;
}

const escapes: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  a: '\u{7}',
  v: '\v',
  '0': '\0',
};
const codes = /\\(?:x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8}))/y;

/**
 * Reads a quoted text: `"…"` with the escapes of JSON and Go, `'…'` in which two quotes mean one, or raw text
 * in backticks. `*\/` stands for the characters that would end the comment.
 * @param open offset of the opening quote
 */
export function scanQuoted(text: string, open: number): QuotedText | ScanProblem {
  const quote = text[open]!;
  const positions: number[] = [];
  let value = '';
  const add = (part: string, at: number) => {
    value += part;
    for (let i = 0; i < part.length; i++) positions.push(at);
  };
  for (let i = open + 1; i < text.length; i++) {
    const char = text[i]!;
    if (char === '\\' && text[i - 1] === '*' && text[i + 1] === '/') continue;
    if (char === quote && quote === "'" && text[i + 1] === "'") {
      add(char, i++);
    } else if (char === quote) {
      positions.push(i);
      return { value, positions, end: i + 1 };
    } else if (char === '\\' && quote === '"') {
      const escape = readEscape(text, i);
      if (!escape)
        return { message: `\\${text[i + 1] ?? ''} is not an escape; write a backslash twice`, at: i };
      add(escape.value, i);
      i += escape.length - 1;
    } else {
      add(char, i);
    }
  }
  return { message: 'unclosed quotes', at: open };
}

function readEscape(text: string, at: number): { value: string; length: number } | undefined {
  const next = text[at + 1] ?? '';
  if (next !== '' && '"\'\\/`'.includes(next)) return { value: next, length: 2 };
  const simple = escapes[next];
  if (simple !== undefined) return { value: simple, length: 2 };
  codes.lastIndex = at;
  const code = codes.exec(text);
  const number = code && Number.parseInt(code[1] ?? code[2] ?? code[3]!, 16);
  if (!code || number === null || number > 0x10_ff_ff) return undefined;
  return { value: String.fromCodePoint(number), length: code[0].length };
}
