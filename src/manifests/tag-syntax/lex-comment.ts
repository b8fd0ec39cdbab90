import type { SourceText } from '../source/source-text.ts';
import type { DocComment, Tag } from './tag.ts';
import { publicProse } from './public-prose.ts';
import { knownMarkerPrefix, looksLikeTag, takesRawValue } from './registry.ts';

const inlineLink = /\{@link(?:code|plain)?\s([^{}]*)\}/g;

interface CommentRange {
  readonly type: 'Line' | 'Block';
  readonly start: number;
  readonly end: number;
}

interface Line {
  /** Offset in the joined text. */
  readonly at: number;
  /** Offset in the source. */
  readonly offset: number;
}

interface Start {
  /** Where the sign is. */
  readonly at: number;
  readonly form: Tag['form'];
  readonly name: string;
}

const tagStart = /[A-Za-z][\w-]*(?:\.[A-Za-z]\w*)*/y;
/** Matches `+name` or `+a:b:c`, up to its value. A Markdown bullet has a blank after its plus. */
const markerStart = /(?:kubebuilder|k8s|operator-sdk)(?::[^\s=:]+)+|[a-z]\w*(?=:?=|[ \t]*(?:\n|$))/y;

/**
 * Splits a comment into its prose and its tags.
 *
 * A tag begins a line. It can also follow prose on the same line if its name is an ots tag or close to one
 * (`How many. @minimum 0`). Its value extends to the next tag. Quotes, brackets and braces that open a value
 * are matched to their end. Text in backticks and in fenced code is never a tag. Line comments can contain
 * only markers.
 */
export function lexComment(source: SourceText, comment: CommentRange): DocComment {
  const { text, lines } = contentOf(source, comment);
  const isDoc = comment.type === 'Block';
  const starts = findStarts(text, isDoc);
  const tags = starts.map((start, index) => toTag(source, text, lines, start, starts[index + 1]?.at));
  return { description: isDoc ? descriptionOf(text, starts) : '', tags };
}

/** Returns the comment without its delimiters and gutter. */
function contentOf(source: SourceText, comment: CommentRange): { text: string; lines: Line[] } {
  const isBlock = comment.type === 'Block';
  const start = comment.start + (isBlock ? 3 : 2);
  const raw = source.text.slice(start, Math.max(start, comment.end - (isBlock ? 2 : 0)));
  const lines: Line[] = [];
  let text = '';
  let from = 0;
  for (const rawLine of raw.split(/(?<=\n)|(?<=\r)(?!\n)/)) {
    const gutter = isBlock && from > 0 ? /^[ \t]*\*?[ \t]?/.exec(rawLine)![0].length : 0;
    lines.push({ at: text.length, offset: start + from + gutter });
    text += rawLine.slice(gutter).replace(/\r?\n$|\r$/, '\n');
    from += rawLine.length;
  }
  return { text, lines };
}

function findStarts(text: string, isDoc: boolean): Start[] {
  const starts: Start[] = [];
  let fenced = false;
  let unclosed = false;
  let atLineStart = true;
  for (let i = 0; i < text.length; i++) {
    const char = text[i]!;
    if (char === '\n') {
      atLineStart = true;
      continue;
    }
    if (atLineStart && (text.startsWith('```', i) || text.startsWith('~~~', i))) {
      fenced = !fenced;
      i = endOfLine(text, i) - 1;
      continue;
    }
    if (!fenced && char === '`') {
      i = endOfCodeSpan(text, i);
    } else if (!fenced) {
      const start = startAt(text, i, atLineStart, isDoc);
      if (start) {
        starts.push(start);
        i += start.name.length;
        const end = unclosed ? i : endOfDelimitedValue(text, i + 1, start);
        if (end === undefined) unclosed = true;
        else i = Math.max(i, end - 1);
        if (start.form === 'marker') i = endOfLine(text, i) - 1;
      }
    }
    if (char !== ' ' && char !== '\t') atLineStart = false;
  }
  return starts;
}

function startAt(text: string, i: number, atLineStart: boolean, isDoc: boolean): Start | undefined {
  if (text[i] === '+' && atLineStart) {
    const name = matchAt(markerStart, text, i + 1);
    const known = name === undefined ? undefined : knownMarkerPrefix(name);
    return known === undefined ? undefined : { at: i, form: 'marker', name: known };
  }
  if (text[i] !== '@' || !isDoc) return undefined;
  const name = matchAt(tagStart, text, i + 1);
  if (name === undefined) return undefined;
  const afterBlank = i > 0 && /[ \t]/.test(text[i - 1]!);
  return atLineStart || (afterBlank && looksLikeTag(name)) ? { at: i, form: 'tag', name } : undefined;
}

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end === -1 ? text.length : end;
}

/** Returns the closing backtick on the same line, or the opening one if it is unmatched. */
function endOfCodeSpan(text: string, from: number): number {
  const end = text.indexOf('`', from + 1);
  return end === -1 || end > endOfLine(text, from) ? from : end;
}

/**
 * Returns the end of a value in quotes or brackets, or `from` for any other value.
 * @returns undefined if the closing delimiter is missing
 */
function endOfDelimitedValue(text: string, from: number, start: Start): number | undefined {
  if (start.form === 'marker' || takesRawValue(start.name)) return from;
  const begin = from + /^\s*/.exec(text.slice(from, from + 200))![0].length;
  if (!/["'{[]/.test(text[begin] ?? '')) return from;
  let depth = 0;
  let quote = '';
  for (let i = begin; i < text.length; i++) {
    const char = text[i]!;
    if (quote) {
      if (char === '\\' && quote === '"') i++;
      else if (char === quote) quote = '';
    } else if (char === '"' || char === "'" || char === '`') quote = char;
    else if (char === '{' || char === '[') depth++;
    else if (char === '}' || char === ']') depth--;
    if (depth === 0 && !quote) return i + 1;
  }
  return undefined;
}

function toTag(source: SourceText, text: string, lines: Line[], start: Start, next?: number): Tag {
  const nameEnd = start.at + 1 + start.name.length;
  const end = start.form === 'marker' ? endOfLine(text, nameEnd) : (next ?? text.length);
  const raw = text.slice(nameEnd, end);
  const lead = start.form === 'marker' ? /^:?=?\s*/ : /^\s*/;
  const from = nameEnd + lead.exec(raw)![0].length;
  const value = text.slice(from, end).trimEnd();
  const first = lines.findLast((line) => line.at <= from)!;
  const spanLine = lines.findLast((line) => line.at <= start.at)!;
  const spanStart = spanLine.offset + (start.at - spanLine.at);
  return {
    name: start.name,
    form: start.form,
    value,
    source,
    span: { start: spanStart, end: spanStart + 1 + start.name.length },
    lines: [
      { at: 0, offset: first.offset + (from - first.at) },
      ...lines
        .filter((line) => line.at > from && line.at < end)
        .map((line) => ({ at: line.at - from, offset: line.offset })),
    ],
    consumed: false,
  };
}

/** Returns the prose before the first doc tag, without the lines of markers. */
function descriptionOf(text: string, starts: Start[]): string {
  let prose = '';
  let from = 0;
  for (const start of starts) {
    prose += text.slice(from, start.at);
    from = start.form === 'tag' ? text.length : Math.min(text.length, endOfLine(text, start.at) + 1);
    if (start.form === 'tag') break;
  }
  const lines = (prose + text.slice(from)).split('\n').map((line) => line.trimEnd());
  return publicProse(lines)
    .join('\n')
    .replaceAll(inlineLink, (_, content: string) => linkText(content.trim()))
    .trim();
}

/** Reads `target`, `target text` or `target | text`. */
function linkText(content: string): string {
  const end = content.search(/[\s|]/);
  return end === -1 ? content : content.slice(end).replace(/^[\s|]+/, '');
}
