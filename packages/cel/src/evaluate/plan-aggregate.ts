import { listBaseCost } from '../functions/costs.ts';
import type { CelResult, CelValue } from '../values/cel-value.ts';
import { CelEvaluationError, isError } from '../values/evaluation-error.ts';
import { CreatedObject } from '../values/created-object.ts';
import { ArrayList } from '../values/list.ts';
import { EntriesMap } from '../values/map.ts';
import { Optional } from '../values/optional.ts';
import { showValue } from '../values/show-value.ts';
import { constantPlan } from './plan.ts';
import type { Plan } from './plan.ts';
import type { Scope } from './scope.ts';

const mapBaseCost = 30;
const structBaseCost = 40;

interface Element {
  readonly value: Plan;
  readonly optional: boolean;
}

interface Entry extends Element {
  readonly key: Plan;
}

interface Field extends Element {
  readonly name: string;
}

/** `[a, ?b]`. */
export function planList(elements: readonly Element[]): Plan {
  const isConstant = elements.every(({ value, optional }) => value.constant !== undefined && !optional);
  if (isConstant) return constantPlan(new ArrayList(elements.map(({ value }) => value.constant!)));
  return {
    run: (scope) => {
      const list = makeList(elements, scope);
      scope.meter.add(listBaseCost);
      return list;
    },
  };
}

function makeList(elements: readonly Element[], scope: Scope): CelResult {
  const items: CelValue[] = [];
  for (const { value, optional } of elements) {
    const item = value.run(scope);
    if (isError(item)) return item;
    if (!optional) {
      items.push(item);
      continue;
    }
    if (!(item instanceof Optional))
      return new CelEvaluationError(
        `cannot initialize optional list element from non-optional value ${showValue(item)}`,
      );
    const inner = item.value;
    if (!isError(inner)) items.push(inner);
  }
  return new ArrayList(items);
}

/** `{key: value, ?key: value}`. */
export function planMap(entries: readonly Entry[]): Plan {
  const isConstant = entries.every(
    ({ key, value, optional }) => key.constant !== undefined && value.constant !== undefined && !optional,
  );
  if (isConstant)
    return constantPlan(new EntriesMap(entries.map(({ key, value }) => [key.constant!, value.constant!])));
  return {
    run: (scope) => {
      const map = makeMap(entries, scope);
      scope.meter.add(mapBaseCost);
      return map;
    },
  };
}

function makeMap(entries: readonly Entry[], scope: Scope): CelResult {
  const made: [CelValue, CelValue][] = [];
  for (const { key, value, optional } of entries) {
    const name = key.run(scope);
    if (isError(name)) return name;
    const item = value.run(scope);
    if (isError(item)) return item;
    if (!optional) {
      made.push([name, item]);
      continue;
    }
    if (!(item instanceof Optional)) return notOptional(showValue(name), item);
    const inner = item.value;
    if (!isError(inner)) made.push([name, inner]);
  }
  return new EntriesMap(made);
}

/** `Object.spec{field: value, ?field: value}`. */
export function planStruct(typeName: string, fields: readonly Field[]): Plan {
  return {
    run: (scope) => {
      const object = makeObject(typeName, fields, scope);
      scope.meter.add(structBaseCost);
      return object;
    },
  };
}

function makeObject(typeName: string, fields: readonly Field[], scope: Scope): CelResult {
  const made = new Map<string, CelValue>();
  for (const { name, value, optional } of fields) {
    const item = value.run(scope);
    if (isError(item)) return item;
    if (!optional) {
      made.set(name, item);
      continue;
    }
    if (!(item instanceof Optional)) return notOptional(name, item);
    const inner = item.value;
    if (!isError(inner)) made.set(name, inner);
  }
  return new CreatedObject(typeName, made);
}

function notOptional(name: string, item: CelValue): CelEvaluationError {
  return new CelEvaluationError(
    `cannot initialize optional entry '${name}' from non-optional value ${showValue(item)}`,
  );
}
