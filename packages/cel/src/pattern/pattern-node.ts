/** A regular expression as a tree. */
export type PatternNode =
  | { readonly op: 'character'; readonly test: CharacterTest }
  | { readonly op: 'assertion'; readonly at: Assertion }
  /** A sequence without parts matches the empty text. */
  | { readonly op: 'sequence' | 'choice'; readonly parts: readonly PatternNode[] }
  /** `max` is Infinity when there is none; `lazy` when fewer repetitions are better. */
  | {
      readonly op: 'repeat';
      readonly part: PatternNode;
      readonly min: number;
      readonly max: number;
      readonly lazy: boolean;
    };

/** Whether a code point belongs to a set. */
export type CharacterTest = (codePoint: number) => boolean;

export type Assertion =
  | 'text-start'
  | 'text-end'
  | 'line-start'
  | 'line-end'
  | 'word-boundary'
  | 'no-word-boundary';
