import type { Expr } from '../ast.ts';
import type { CheckedExpr } from '../check/checked-expr.ts';
import { type CelType, dynType } from '../types/cel-type.ts';
import type { CostNode, SizeOf } from './cost-node.ts';
import type { Estimate } from './estimate.ts';
import { type EntrySize, LocalVariables } from './local-variables.ts';
import { literalSize, typeSize } from './own-size.ts';
import { Path } from './path.ts';

/**
 * Where the parts of an expression are in the schema, and how large they can be. A size from the schema is cached
 * once it is found.
 */
export class KnownSizes {
  readonly locals = new LocalVariables();
  readonly #checked: CheckedExpr;
  readonly #sizeOf: SizeOf;
  readonly #paths = new Map<number, Path>();
  readonly #sizes = new Map<number, Estimate>();
  readonly #entrySizes = new Map<number, EntrySize>();

  constructor(checked: CheckedExpr, sizeOf: SizeOf) {
    this.#checked = checked;
    this.#sizeOf = sizeOf;
  }

  typeOf(expr: Expr): CelType {
    return this.#checked.types.get(expr.id) ?? dynType;
  }

  pathOf(expr: Expr): Path {
    const local = expr.kind === 'ident' ? this.locals.get(expr.name) : undefined;
    return local?.path ?? this.#paths.get(expr.id) ?? Path.none;
  }

  setPath(expr: Expr, path: Path): void {
    this.#paths.set(expr.id, path);
  }

  /** The size as computed, as written, as the schema bounds it, or as its type implies. */
  sizeOf(expr: Expr): Estimate | undefined {
    const known = this.#sizes.get(expr.id) ?? literalSize(expr);
    if (known) return known;
    const inSchema = this.#sizeOf(this.pathOf(expr));
    if (inSchema) this.#sizes.set(expr.id, inSchema);
    const local = expr.kind === 'ident' ? this.locals.get(expr.name) : undefined;
    return inSchema ?? typeSize(this.typeOf(expr)) ?? local?.size;
  }

  setSize(expr: Expr, size: Estimate | undefined): void {
    if (size) this.#sizes.set(expr.id, size);
  }

  /** The sizes of the entries of a list or map. */
  entrySizeOf(expr: Expr): EntrySize | undefined {
    const known = this.#entrySizes.get(expr.id);
    if (known || expr.kind !== 'ident') return known;
    return this.locals.get(expr.name)?.entrySize;
  }

  setEntrySize(expr: Expr, size: EntrySize | undefined): void {
    if (size) this.#entrySizes.set(expr.id, size);
  }

  copy(to: Expr, from: Expr): void {
    this.setSize(to, this.sizeOf(from));
    this.setEntrySize(to, this.entrySizeOf(from));
  }

  /** The properties of a node that a call's cost depends on. The result of a macro is not in the schema. */
  nodeOf(expr: Expr): CostNode {
    const path = this.pathOf(expr);
    const [first] = path.names;
    const gathered = first === '@result' || first === '__result__';
    return { expr, type: this.typeOf(expr), path: gathered ? Path.none : path, size: this.sizeOf(expr) };
  }
}
