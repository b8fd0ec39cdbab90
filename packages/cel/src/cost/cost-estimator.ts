import type { CallExpr, ComprehensionExpr, Expr, IdentExpr, ListExpr, MapExpr, SelectExpr } from '../ast.ts';
import type { CheckedExpr } from '../check/checked-expr.ts';
import { listBaseCost, mapBaseCost, structBaseCost } from './cost-factors.ts';
import type { CallCost, CostNode, SizeOf } from './cost-node.ts';
import {
  add,
  type Estimate,
  exactly,
  maxUint64,
  multiply,
  oneEstimate,
  union,
  unknownEstimate,
  zeroEstimate,
} from './estimate.ts';
import { extensionCost } from './extension-cost.ts';
import { kubernetesCost } from './kubernetes-cost.ts';
import { KnownSizes } from './known-sizes.ts';
import { Path } from './path.ts';
import { standardCost } from './standard-cost.ts';

const nothingYet: Estimate = { min: maxUint64, max: 0n };
const joins: ReadonlySet<string> = new Set(['conditional', 'add_list', 'add_string', 'add_bytes']);

/**
 * Estimates the cost of an expression like cel-go's checker (`checker/cost.go`) with the rules of Kubernetes. The
 * order in which sizes are looked up and cached is part of the estimate.
 */
export class CostEstimator {
  readonly #checked: CheckedExpr;
  readonly #sizeOf: SizeOf;
  readonly #known: KnownSizes;

  constructor(checked: CheckedExpr, sizeOf: SizeOf) {
    this.#checked = checked;
    this.#sizeOf = sizeOf;
    this.#known = new KnownSizes(checked, sizeOf);
  }

  cost(expr: Expr): Estimate {
    switch (expr.kind) {
      case 'literal':
        return zeroEstimate;
      case 'ident':
        return this.#ident(expr);
      case 'select':
        return this.#select(expr);
      case 'call':
        return this.#call(expr);
      case 'list':
        return this.#list(expr);
      case 'map':
        return this.#map(expr);
      case 'struct':
        return expr.fields.reduce((sum, field) => add(sum, this.cost(field.value)), exactly(structBaseCost));
      default:
        return isBind(expr) ? this.#bind(expr) : this.#comprehension(expr);
    }
  }

  #ident(expr: IdentExpr): Estimate {
    const name = this.#checked.names.get(expr.id) ?? expr.name;
    this.#known.setPath(expr, this.#known.locals.get(name)?.path ?? Path.none.append(name));
    return oneEstimate;
  }

  #select(expr: SelectExpr): Estimate {
    const name = this.#checked.names.get(expr.id);
    if (name !== undefined) {
      this.#known.setPath(expr, Path.none.append(name));
      return oneEstimate;
    }
    const operand = this.cost(expr.operand);
    if (expr.testOnly) return operand;
    const { kind } = this.#known.typeOf(expr.operand);
    this.#known.setPath(expr, this.#known.pathOf(expr.operand).append(expr.field));
    return kind === 'map' || kind === 'struct' ? add(operand, oneEstimate) : operand;
  }

  #call(expr: CallExpr): Estimate {
    const name = this.#checked.names.get(expr.id) ?? expr.function;
    if (name === 'dyn') return this.#dyn(expr);
    const argCosts: Estimate[] = [];
    const args: CostNode[] = [];
    for (const arg of expr.args) {
      argCosts.push(this.cost(arg));
      args.push(this.#known.nodeOf(arg));
    }
    // A function with a dotted name has no receiver: the text before the last dot is part of the name.
    const receiver = this.#checked.names.has(expr.id) ? undefined : expr.target;
    const targetCost = receiver ? this.cost(receiver) : zeroEstimate;
    const target = receiver && this.#known.nodeOf(receiver);
    let cost = nothingYet;
    let size: Estimate | undefined;
    for (const overload of this.#checked.overloads.get(expr.id) ?? []) {
      const call = this.#overloadCost(expr, name, overload, target, args, argCosts);
      cost = union(cost, call.cost);
      if (call.size) size = size ? union(size, call.size) : call.size;
      if (overload === 'index_list' || overload === 'index_map') {
        size = this.#known.entrySizeOf(expr.args[0]!)?.value;
        const items = overload === 'index_list' ? '@items' : '@values';
        this.#known.setPath(expr, this.#known.pathOf(expr.args[0]!).append(items));
      }
      size ??= this.#known.sizeOf(expr);
    }
    this.#known.setSize(expr, size);
    return add(targetCost, cost);
  }

  #dyn(expr: CallExpr): Estimate {
    const cost = this.cost(expr.args[0]!);
    this.#known.copy(expr, expr.args[0]!);
    return add(oneEstimate, cost);
  }

  #overloadCost(
    expr: CallExpr,
    name: string,
    overload: string,
    target: CostNode | undefined,
    args: readonly CostNode[],
    argCosts: readonly Estimate[],
  ): CallCost {
    const call =
      extensionCost(overload, target, args, this.#sizeOf) ??
      kubernetesCost(name, overload, target, args, this.#sizeOf);
    if (call) return { ...call, cost: argCosts.reduce(add, call.cost) };
    this.#joinEntrySizes(expr, overload);
    return standardCost(overload, target, args, argCosts);
  }

  /** The entries of `a + b` and `c ? a : b` are those of either operand. */
  #joinEntrySizes(expr: CallExpr, overload: string): void {
    if (!joins.has(overload)) return;
    const [a, b] = expr.args.slice(-2).map((arg) => this.#known.entrySizeOf(arg));
    if (!a || !b) return;
    const [key, value] = [union(a.key, b.key), union(a.value, b.value)];
    this.#known.setEntrySize(expr, { container: a.container, key, value });
  }

  #list(expr: ListExpr): Estimate {
    let cost = exactly(listBaseCost);
    let value = expr.elements.length === 0 ? zeroEstimate : nothingYet;
    for (const element of expr.elements) {
      cost = add(cost, this.cost(element.value));
      value = union(value, this.#known.sizeOf(element.value) ?? unknownEstimate);
    }
    this.#known.setEntrySize(expr, { container: 'list', key: oneEstimate, value });
    return cost;
  }

  #map(expr: MapExpr): Estimate {
    let cost = exactly(mapBaseCost);
    let key = expr.entries.length === 0 ? zeroEstimate : nothingYet;
    let value = key;
    for (const entry of expr.entries) {
      cost = add(add(cost, this.cost(entry.key)), this.cost(entry.value));
      key = union(key, this.#known.sizeOf(entry.key) ?? unknownEstimate);
      value = union(value, this.#known.sizeOf(entry.value) ?? unknownEstimate);
    }
    this.#known.setEntrySize(expr, { container: 'map', key, value });
    return cost;
  }

  #comprehension(expr: ComprehensionExpr): Estimate {
    const before = add(this.cost(expr.range), this.cost(expr.initial));
    this.#pushValue(expr.accumulator, expr.initial);
    this.#pushItems(expr);
    const loop = this.cost(expr.condition);
    const step = this.cost(expr.step);
    this.#known.locals.pop(expr.variable);
    if (expr.variable2 !== undefined) this.#known.locals.pop(expr.variable2);
    const cost = add(before, this.cost(expr.result));
    this.#known.locals.pop(expr.accumulator);
    const count = this.#known.sizeOf(expr.range) ?? unknownEstimate;
    this.#setResultSize(expr, count);
    return add(cost, multiply(count, add(step, loop)));
  }

  /** A macro that builds a list or map yields as many items as it visits, a quantifier one value. */
  #setResultSize(expr: ComprehensionExpr, count: Estimate): void {
    const { kind } = expr.initial;
    const size =
      kind === 'literal'
        ? this.#known.sizeOf(expr.initial)
        : kind === 'list' || kind === 'map'
          ? count
          : undefined;
    this.#known.setSize(expr, size);
    const entrySize = kind === 'list' || kind === 'map' ? this.#known.entrySizeOf(expr.step) : undefined;
    this.#known.setEntrySize(expr, entrySize);
  }

  #bind(expr: ComprehensionExpr): Estimate {
    const before = add(this.cost(expr.range), this.cost(expr.initial));
    this.#pushValue(expr.accumulator, expr.initial);
    const cost = add(before, this.cost(expr.result));
    this.#known.locals.pop(expr.accumulator);
    this.#known.copy(expr, expr.result);
    return cost;
  }

  #pushValue(name: string, value: Expr): void {
    const path = this.#known.pathOf(value);
    const entrySize = this.#known.entrySizeOf(value);
    this.#known.locals.push(name, { path, size: this.#known.sizeOf(value), entrySize });
  }

  #pushItems({ range, variable, variable2 }: ComprehensionExpr): void {
    const entrySize = this.#known.entrySizeOf(range);
    const list = (entrySize?.container ?? this.#known.typeOf(range).kind) === 'list';
    const push = (name: string, part: 'key' | 'value'): void => {
      const subPath = part === 'key' ? (list ? '@indices' : '@keys') : list ? '@items' : '@values';
      this.#known.locals.push(name, {
        path: this.#known.pathOf(range).append(subPath),
        size: entrySize?.[part],
        entrySize: undefined,
      });
    };
    push(variable, variable2 === undefined && list ? 'value' : 'key');
    if (variable2 !== undefined) push(variable2, 'value');
  }
}

/** A variable for one value, which a macro expands to; it is evaluated once. */
function isBind({ range, condition, accumulator }: ComprehensionExpr): boolean {
  const never = condition.kind === 'literal' && condition.value.type === 'bool' && !condition.value.value;
  return never && range.kind === 'list' && range.elements.length === 0 && accumulator !== '__result__';
}
