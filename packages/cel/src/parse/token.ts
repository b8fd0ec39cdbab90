import type { Range } from '../ast.ts';

/** `symbol` is punctuation; `keyword` one of `in`, `true`, `false` and `null`, which are no identifiers anywhere. */
export type TokenKind =
  | 'identifier'
  | 'quoted-identifier'
  | 'int'
  | 'uint'
  | 'double'
  | 'string'
  | 'bytes'
  | 'symbol'
  | 'keyword'
  | 'end';

export interface Token extends Range {
  readonly kind: TokenKind;
  readonly text: string;
}
