/** A half-open range of UTF-16 offsets in the text of an expression. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** The value of a literal. Integers are bigint to keep all 64 bits. */
export type LiteralValue =
  | { readonly type: 'null' }
  | { readonly type: 'bool'; readonly value: boolean }
  | { readonly type: 'int'; readonly value: bigint }
  | { readonly type: 'uint'; readonly value: bigint }
  | { readonly type: 'double'; readonly value: number }
  | { readonly type: 'string'; readonly value: string }
  | { readonly type: 'bytes'; readonly value: Uint8Array };

/**
 * A node of the syntax tree, after macro expansion. The shapes are those of the CEL specification's `Expr`
 * message, because the API server defines costs and messages on them. `id` is unique within an expression; the
 * type checker's results refer to it.
 */
export type Expr =
  | LiteralExpr
  | IdentExpr
  | SelectExpr
  | CallExpr
  | ListExpr
  | MapExpr
  | StructExpr
  | ComprehensionExpr;

/** A range with the offset at which the API server's compiler reports problems of it. */
export interface Place extends Range {
  /** Default: the start. For a call it is the parenthesis or the operator, for a field the dot. */
  readonly at?: number;
}

interface Node extends Required<Place> {
  readonly id: number;
}

export interface LiteralExpr extends Node {
  readonly kind: 'literal';
  readonly value: LiteralValue;
}

export interface IdentExpr extends Node {
  readonly kind: 'ident';
  readonly name: string;
}

/** `operand.field`, or with `testOnly` the macro `has(operand.field)`. */
export interface SelectExpr extends Node {
  readonly kind: 'select';
  readonly operand: Expr;
  readonly field: string;
  readonly testOnly: boolean;
  /** The offset of the field's name. */
  readonly nameStart: number;
}

/**
 * A function, a method (with `target`) or an operator. Operators have the names of the specification: `_+_`, `_-_`, `_*_`, `_/_`, `_%_`,
 * `-_`, `!_`, `_==_`, `_!=_`, `_<_`, `_<=_`, `_>_`, `_>=_`, `_&&_`, `_||_`, `_?_:_`, `_[_]`, `@in`, `_?._`, `_[?_]`, `@not_strictly_false`.
 */
export interface CallExpr extends Node {
  readonly kind: 'call';
  readonly function: string;
  readonly target?: Expr;
  readonly args: readonly Expr[];
  /** The offset of the function's name or the operator. */
  readonly nameStart: number;
}

/** `[a, ?b]`; an optional element without a value is omitted. */
export interface ListExpr extends Node {
  readonly kind: 'list';
  readonly elements: readonly { readonly value: Expr; readonly optional: boolean }[];
}

/** `{key: value, ?key: value}`. */
export interface MapExpr extends Node {
  readonly kind: 'map';
  readonly entries: readonly { readonly key: Expr; readonly value: Expr; readonly optional: boolean }[];
}

/** `Name{field: value}`. */
export interface StructExpr extends Node {
  readonly kind: 'struct';
  readonly typeName: string;
  readonly fields: readonly {
    readonly name: string;
    readonly value: Expr;
    readonly optional: boolean;
    /** The offset of the colon. */
    readonly colon: number;
  }[];
}

/**
 * The expansion of the macros `all`, `exists`, `exists_one`, `map`, `filter`, their two-variable forms, and
 * `cel.bind`. For each item of `range`, while `condition` holds, `accumulator` becomes `step`; the value is
 * `result`. With `variable2` the variables are key or index and value.
 */
export interface ComprehensionExpr extends Node {
  readonly kind: 'comprehension';
  readonly range: Expr;
  readonly variable: string;
  readonly variable2?: string;
  readonly accumulator: string;
  readonly initial: Expr;
  readonly condition: Expr;
  readonly step: Expr;
  readonly result: Expr;
}
