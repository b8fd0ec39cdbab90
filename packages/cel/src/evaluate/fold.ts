import type { CelResult } from '../values/cel-value.ts';
import { CelEvaluationError, isError } from '../values/evaluation-error.ts';
import { CelList, GrowingList } from '../values/list.ts';
import { CelMap, EntriesMap } from '../values/map.ts';
import { typeNameOf } from '../values/type-of.ts';
import type { Meter } from './meter.ts';
import type { Scope, Step } from './scope.ts';

/** The compiled parts of a comprehension. */
export interface FoldPlan {
  readonly range: Step;
  readonly variable: string;
  readonly variable2: string | undefined;
  readonly accumulator: string;
  readonly initial: Step;
  readonly condition: Step;
  readonly step: Step;
  readonly result: Step;
}

/** Runs a comprehension. */
export function fold(plan: FoldPlan, outer: Scope): CelResult {
  const range = plan.range(outer);
  if (isError(range)) return range;
  if (!(range instanceof CelList) && !(range instanceof CelMap))
    return new CelEvaluationError(`got '${typeNameOf(range)}', expected iterable type`);
  const scope = new FoldScope(plan, outer);
  if (range instanceof CelList) foldList(range, plan, scope);
  else foldMap(range, plan, scope);
  return scope.finish();
}

function foldList(list: CelList, { variable2 }: FoldPlan, scope: FoldScope): void {
  const two = variable2 !== undefined;
  let going = true;
  for (let i = 0; going && i < list.size; i++) {
    const item = list.at(i);
    going = two ? scope.round(BigInt(i), item) : scope.round(item, null);
  }
}

function foldMap(map: CelMap, { variable2 }: FoldPlan, scope: FoldScope): void {
  for (const key of map.keys()) {
    const value = variable2 === undefined ? null : map.find(key);
    if (!scope.round(key, value === undefined ? null : value)) break;
  }
}

class FoldScope implements Scope {
  readonly meter: Meter;
  readonly #plan: FoldPlan;
  readonly #outer: Scope;
  #first: CelResult = null;
  #second: CelResult = null;
  #accumulated: CelResult | undefined;
  #finishing = false;

  constructor(plan: FoldPlan, outer: Scope) {
    this.#plan = plan;
    this.#outer = outer;
    this.meter = outer.meter;
  }

  /** @returns whether there may be another round */
  round(first: CelResult, second: CelResult): boolean {
    this.meter.countIteration();
    this.#first = first;
    this.#second = second;
    if (this.#plan.condition(this) === false) return false;
    this.#accumulated = this.#plan.step(this);
    return true;
  }

  finish(): CelResult {
    this.#finishing = true;
    const result = this.#plan.result(this);
    return result instanceof GrowingList ? result.finish() : result;
  }

  resolve(name: string): CelResult | undefined {
    if (name === this.#plan.accumulator) {
      if (this.#accumulated === undefined) this.#accumulated = this.#start();
      return this.#accumulated;
    }
    if (!this.#finishing) {
      if (name === this.#plan.variable) return this.#first;
      if (name === this.#plan.variable2) return this.#second;
    }
    return this.#outer.resolve(name);
  }

  /** Computed on demand, as in the API server: an expression that does not need it does not pay for it. */
  #start(): CelResult {
    const initial = this.#plan.initial(this.#outer);
    return isEmpty(initial, CelList)
      ? new GrowingList()
      : isEmpty(initial, CelMap)
        ? new EntriesMap()
        : initial;
  }
}

function isEmpty(value: CelResult, kind: typeof CelList | typeof CelMap): boolean {
  return value instanceof kind && value.size === 0;
}
