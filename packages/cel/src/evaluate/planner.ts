import type { CallExpr, ComprehensionExpr, Expr, LiteralValue, SelectExpr } from '../ast.ts';
import type { CelResult, CelValue } from '../values/cel-value.ts';
import { CelEvaluationError } from '../values/evaluation-error.ts';
import { isCreatedType } from '../values/created-object.ts';
import { typeNames } from '../values/type-of.ts';
import { TypeValue } from '../values/type-value.ts';
import { Uint } from '../values/uint.ts';
import { ConditionalAttribute, PathAttribute, unknownName } from './attribute.ts';
import type { Attribute, Qualifier } from './attribute.ts';
import { planCall, planIn, planOperator } from './plan-call.ts';
import { fold } from './fold.ts';
import { constantPlan } from './plan.ts';
import type { Plan } from './plan.ts';
import { planList, planMap, planStruct } from './plan-aggregate.ts';
import type { Step } from './scope.ts';

/** The variables whose names look like fields of another variable. */
const dottedVariables: ReadonlySet<string> = new Set(['authorizer.requestResource']);

/** Compiles expressions, which can then run any number of times. */
export class Planner {
  /** The variables of enclosing comprehensions, which shadow types of the same name. */
  readonly #bound: string[] = [];

  plan(expr: Expr): Plan {
    switch (expr.kind) {
      case 'literal':
        return constantPlan(literalValue(expr.value));
      case 'ident':
        return this.#planIdent(expr.name);
      case 'select':
        return this.#planSelect(expr);
      case 'call':
        return this.#planCall(expr);
      case 'list':
        return planList(expr.elements.map(({ value, optional }) => ({ value: this.plan(value), optional })));
      case 'map':
        return planMap(
          expr.entries.map(({ key, value, optional }) => ({
            key: this.plan(key),
            value: this.plan(value),
            optional,
          })),
        );
      case 'comprehension':
        return this.#planComprehension(expr);
      default: {
        const { typeName } = expr;
        if (!isCreatedType(typeName))
          return { run: () => new CelEvaluationError(`unknown type: ${typeName}`) };
        return planStruct(
          typeName,
          expr.fields.map((field) => ({ ...field, value: this.plan(field.value) })),
        );
      }
    }
  }

  #planIdent(name: string): Plan {
    if (this.#isType(name)) return constantPlan(new TypeValue(name));
    return this.#planVariable(name);
  }

  #planVariable(name: string): Plan {
    return attributePlan(
      new PathAttribute((scope) => {
        const value = scope.resolve(name);
        return value === undefined ? unknownName(name) : value;
      }),
    );
  }

  #isType(name: string): boolean {
    return typeNames.has(name) && !this.#bound.includes(name.split('.')[0]!);
  }

  #planSelect(expr: SelectExpr): Plan {
    const { operand, field, testOnly } = expr;
    const typeName = qualifiedName(expr);
    if (typeName !== undefined && this.#isType(typeName)) return constantPlan(new TypeValue(typeName));
    if (dottedVariables.has(typeName ?? '')) return this.#planVariable(typeName!);
    return this.#select(this.plan(operand), { key: () => field, optional: false, test: testOnly });
  }

  #select(operand: Plan, qualifier: Qualifier): Plan {
    return attributePlan(attributeOf(operand).with(qualifier));
  }

  #planCall(expr: CallExpr): Plan {
    const { function: name, target } = expr;
    const prefix = target && qualifiedName(target);
    const namespaced = prefix === undefined ? undefined : planCall(`${prefix}.${name}`, expr.args.length);
    if (namespaced) return namespaced(expr.args.map((arg) => this.plan(arg)));
    const args = [...(target ? [target] : []), ...expr.args].map((arg) => this.plan(arg));
    const [first, second, third] = args;
    switch (name) {
      case '_?_:_':
        return attributePlan(new ConditionalAttribute(first!.run, attributeOf(second!), attributeOf(third!)));
      case '_[_]':
      case '_[?_]':
      case '_?._':
        return this.#select(first!, { key: keyOf(second!), optional: name !== '_[_]', test: false });
      case '@in':
        return planIn(first!, second!);
      default:
        return planOperator(name, args) ?? planCall(name, args.length)?.(args) ?? unknownFunction(name);
    }
  }

  #planComprehension(expr: ComprehensionExpr): Plan {
    const { variable, variable2, accumulator } = expr;
    const [range, initial] = [this.plan(expr.range), this.plan(expr.initial)];
    const names = [accumulator, variable, ...(variable2 === undefined ? [] : [variable2])];
    this.#bound.push(...names);
    const [condition, step, result] = [expr.condition, expr.step, expr.result].map(
      (part) => this.plan(part).run,
    );
    this.#bound.splice(-names.length);
    const plan = {
      variable,
      variable2,
      accumulator,
      range: range.run,
      initial: initial.run,
      condition: condition!,
      step: step!,
      result: result!,
    };
    return { run: (scope) => fold(plan, scope) };
  }
}

function attributePlan(attribute: Attribute): Plan {
  const run: Step = (scope) => {
    const value = attribute.resolve(scope);
    if (attribute.cost > 0) scope.meter.add(attribute.cost);
    return value;
  };
  return { attribute, run };
}

function attributeOf({ attribute, run }: Plan): Attribute {
  return attribute ?? new PathAttribute(run);
}

/** An index from a variable does not have the usual cost of reading it. */
function keyOf({ attribute, run }: Plan): Step {
  return attribute ? (scope) => attribute.resolve(scope) : run;
}

/** `a.b` as a name; undefined when it cannot be one. */
function qualifiedName(expr: Expr): string | undefined {
  if (expr.kind === 'ident') return expr.name;
  if (expr.kind !== 'select' || expr.testOnly) return undefined;
  const prefix = qualifiedName(expr.operand);
  return prefix === undefined ? undefined : `${prefix}.${expr.field}`;
}

function literalValue(literal: LiteralValue): CelValue {
  if (literal.type === 'null') return null;
  return literal.type === 'uint' ? new Uint(literal.value) : literal.value;
}

function unknownFunction(name: string): Plan {
  const error: CelResult = new CelEvaluationError(`no such overload: ${name}`);
  return { run: () => error };
}
