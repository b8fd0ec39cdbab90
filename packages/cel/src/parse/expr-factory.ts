import type {
  CallExpr,
  ComprehensionExpr,
  Expr,
  IdentExpr,
  ListExpr,
  LiteralExpr,
  LiteralValue,
  MapExpr,
  Place,
  SelectExpr,
  StructExpr,
} from '../ast.ts';
import { CelSyntaxError } from './cel-syntax-error.ts';

/** The variable in which a macro accumulates its result. Expressions cannot name it. */
export const accumulatorName = '@result';

/**
 * More nodes than an expression of the maximum length has. A chain of `optMap` doubles with every link, and would
 * otherwise exhaust the memory.
 */
const maxNodes = 150_000;

/** Creates the nodes of one expression, each with a unique id. */
export class ExprFactory {
  #lastId = 0;

  #id(range: Place): number {
    if (this.#lastId === maxNodes) {
      throw new CelSyntaxError(
        'an expression that is too large once its macros are expanded',
        'chain fewer calls of optMap and optFlatMap',
        range,
      );
    }
    return ++this.#lastId;
  }

  select(range: Place, operand: Expr, field: string, testOnly: boolean, nameStart: number): SelectExpr {
    return {
      kind: 'select',
      id: this.#id(range),
      ...placeOf(range),
      operand,
      field,
      testOnly,
      nameStart,
    };
  }

  struct(range: Place, typeName: string, fields: StructExpr['fields']): StructExpr {
    return { kind: 'struct', id: this.#id(range), ...placeOf(range), typeName, fields };
  }

  literal(range: Place, value: LiteralValue): LiteralExpr {
    return { kind: 'literal', id: this.#id(range), ...placeOf(range), value };
  }

  ident(range: Place, name: string): IdentExpr {
    return { kind: 'ident', id: this.#id(range), ...placeOf(range), name };
  }

  accumulator(range: Place): IdentExpr {
    return this.ident(range, accumulatorName);
  }

  call(range: Place, name: string, args: readonly Expr[], nameStart: number = range.start): CallExpr {
    return {
      kind: 'call',
      id: this.#id(range),
      ...placeOf({ at: nameStart, ...range }),
      function: name,
      args,
      nameStart,
    };
  }

  method(
    range: Place,
    name: string,
    target: Expr,
    args: readonly Expr[],
    nameStart: number = range.start,
  ): CallExpr {
    return { ...this.call(range, name, args, nameStart), target };
  }

  list(range: Place, elements: ListExpr['elements']): ListExpr {
    return { kind: 'list', id: this.#id(range), ...placeOf(range), elements };
  }

  map(range: Place, entries: MapExpr['entries']): MapExpr {
    return { kind: 'map', id: this.#id(range), ...placeOf(range), entries };
  }

  comprehension(
    range: Place,
    parts: Omit<ComprehensionExpr, 'kind' | 'id' | keyof Place>,
  ): ComprehensionExpr {
    return { kind: 'comprehension', id: this.#id(range), ...placeOf(range), ...parts };
  }

  /** Copies an expression with new ids, for a macro that uses an argument twice. */
  copy(expr: Expr): Expr {
    const id = this.#id(expr);
    switch (expr.kind) {
      case 'literal':
      case 'ident':
        return { ...expr, id };
      case 'select':
        return { ...expr, id, operand: this.copy(expr.operand) };
      case 'call':
        return {
          ...expr,
          id,
          args: expr.args.map((arg) => this.copy(arg)),
          ...(expr.target && { target: this.copy(expr.target) }),
        };
      case 'list':
        return {
          ...expr,
          id,
          elements: expr.elements.map((element) => ({ ...element, value: this.copy(element.value) })),
        };
      case 'map':
        return {
          ...expr,
          id,
          entries: expr.entries.map((entry) => ({
            ...entry,
            key: this.copy(entry.key),
            value: this.copy(entry.value),
          })),
        };
      case 'struct':
        return {
          ...expr,
          id,
          fields: expr.fields.map((field) => ({ ...field, value: this.copy(field.value) })),
        };
      default:
        return {
          ...expr,
          id,
          range: this.copy(expr.range),
          initial: this.copy(expr.initial),
          condition: this.copy(expr.condition),
          step: this.copy(expr.step),
          result: this.copy(expr.result),
        };
    }
  }
}

function placeOf({ start, end, at = start }: Place): Required<Place> {
  return { start, end, at };
}
