import type { Range } from '../ast.ts';

/** `symbol` is punctuation; `keyword` is `in`, `true`, `false` or `null`, which are never identifiers. */
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
