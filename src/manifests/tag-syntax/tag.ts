import type { SourceText, Span } from '../source/source-text.ts';

/** A doc tag (`@minimum 0`) or a marker in kubebuilder's spelling (`+kubebuilder:validation:Minimum=0`). */
export interface Tag {
  /** The name without sign: `minimum`, or for a marker what stands before its value (`kubebuilder:validation:Minimum`). */
  readonly name: string;
  readonly form: 'tag' | 'marker';
  readonly value: string;
  readonly source: SourceText;
  /** Where the sign and the name are. */
  readonly span: Span;
  /** Where each line of `value` is in the source. */
  readonly lines: readonly { readonly at: number; readonly offset: number }[];
  /** Set by the code that applies the tag; a tag that is not consumed is an error. */
  consumed: boolean;
}

/** Marks tags as consumed: they had their effect, or their target has an error of its own. */
export function markConsumed(tags: readonly Tag[]): void {
  for (const tag of tags) tag.consumed = true;
}

/** The tag as its author wrote it, for messages. */
export function writtenName(tag: Tag): string {
  return `${tag.form === 'tag' ? '@' : '+'}${tag.name}`;
}

/** Where a part of the tag's value is in the source; all of it when no range is given. */
export function valueSpan(tag: Tag, from = 0, to = tag.value.length): Span {
  if (tag.value === '') return tag.span;
  const line = tag.lines.findLast((candidate) => candidate.at <= from) ?? tag.lines[0]!;
  const start = line.offset + (from - line.at);
  return { start, end: start + Math.max(1, to - from) };
}

/** The same tag with only the end of its value, for arguments that follow a word. */
export function restOfTag(tag: Tag, from: number): Tag {
  const first = { at: 0, offset: valueSpan(tag, from).start };
  const rest = tag.lines.filter(({ at }) => at > from).map(({ at, offset }) => ({ at: at - from, offset }));
  return { ...tag, value: tag.value.slice(from), lines: [first, ...rest] };
}

/** What the author says above a declaration: prose and tags. */
export interface DocComment {
  /** The text before the first block tag. */
  readonly description: string;
  readonly tags: readonly Tag[];
}
