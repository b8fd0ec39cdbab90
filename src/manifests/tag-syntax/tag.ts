import type { SourceText, Span } from '../source/source-text.ts';

/** A doc tag (`@minimum 0`) or a marker in kubebuilder's spelling (`+kubebuilder:validation:Minimum=0`). */
export interface Tag {
  /**
   * The name without its sign: `minimum`. For a marker, the part before its value
   * (`kubebuilder:validation:Minimum`).
   */
  readonly name: string;
  readonly form: 'tag' | 'marker';
  readonly value: string;
  readonly source: SourceText;
  /** Where the sign and the name are. */
  readonly span: Span;
  /** Where each line of `value` is in the source. */
  readonly lines: readonly { readonly at: number; readonly offset: number }[];
  /** Set by the code that applies the tag. A tag that is not consumed is an error. */
  consumed: boolean;
}

/** Marks tags as consumed: they had their effect, or their target has its own error. */
export function markConsumed(tags: readonly Tag[]): void {
  for (const tag of tags) tag.consumed = true;
}

/** Returns the tag as written, for messages. */
export function writtenName(tag: Tag): string {
  return `${tag.form === 'tag' ? '@' : '+'}${tag.name}`;
}

/** Returns where a part of the tag's value is in the source, or all of it by default. */
export function valueSpan(tag: Tag, from = 0, to = tag.value.length): Span {
  if (tag.value === '') return tag.span;
  const line = tag.lines.findLast((candidate) => candidate.at <= from) ?? tag.lines[0]!;
  const start = line.offset + (from - line.at);
  return { start, end: start + Math.max(1, to - from) };
}

/** Returns the same tag with only the end of its value, for arguments that follow a word. */
export function restOfTag(tag: Tag, from: number): Tag {
  const first = { at: 0, offset: valueSpan(tag, from).start };
  const rest = tag.lines.filter(({ at }) => at > from).map(({ at, offset }) => ({ at: at - from, offset }));
  return { ...tag, value: tag.value.slice(from), lines: [first, ...rest] };
}

/** The comment above a declaration: prose and tags. */
export interface DocComment {
  /** The text before the first block tag. */
  readonly description: string;
  readonly tags: readonly Tag[];
}
