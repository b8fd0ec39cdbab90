import type { CallExpr, Expr, IdentExpr, ListExpr, MapExpr, Place, SelectExpr, StructExpr } from '../ast.ts';
import type { Problem } from '../problem.ts';
import {
  boolType,
  type CelType,
  dynType,
  listOf,
  mapOf,
  optionalOf,
  optionalValue,
  stringType,
  struct,
} from '../types/cel-type.ts';
import { compilerType } from '../types/compiler-type.ts';
import { formatType } from '../types/format-type.ts';
import { isAssignable, mostGeneral } from '../types/is-assignable.ts';
import { typeSize } from '../types/type-size.ts';
import { isCreatedType, patchTypeName } from '../values/created-object.ts';
import { checkComprehension } from './check-comprehension.ts';
import { CheckContext, didYouMean, typeMismatch, undeclaredReference, withoutDot } from './check-context.ts';
import { checkFunction } from './check-function.ts';
import type { CheckedExpr } from './checked-expr.ts';
import { fieldType } from './field-type.ts';
import { literalType } from './literal-type.ts';
import { qualifiedName } from './qualified-name.ts';
import { typeNames } from './type-names.ts';

/** A chain of macros can double a type with every link; no meaningful type comes near this. */
const maxTypeSize = 1000;

/** Determines the type of every node of an expression, like cel-go's checker, and collects type errors. */
export class Checker {
  readonly #context: CheckContext;

  /**
   * @param variables the types of the variables in scope
   * @param createsObjects whether the expression can create objects and patches
   */
  constructor(variables: ReadonlyMap<string, CelType>, createsObjects: boolean) {
    this.#context = new CheckContext(variables, createsObjects);
  }

  get problems(): readonly Problem[] {
    return this.#context.problems;
  }

  check(expr: Expr): CheckedExpr {
    this.#check(expr);
    const { types, overloads, names, bindings } = this.#context;
    for (const [id, type] of types) types.set(id, bindings.resolve(type, true));
    return { expr, types, overloads, names };
  }

  #check(expr: Expr): CelType {
    const { types } = this.#context;
    const type = this.#typeOf(expr);
    const hint = 'nest fewer lists and maps';
    const fits = typeSize(type) <= maxTypeSize;
    types.set(
      expr.id,
      fits ? type : this.#context.problem(expr, 'type-too-large', 'a value whose type is too large', hint),
    );
    return types.get(expr.id)!;
  }

  #typeOf(expr: Expr): CelType {
    switch (expr.kind) {
      case 'literal':
        return literalType(expr.value);
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
        return this.#struct(expr);
      default:
        return checkComprehension(expr, this.#context, (part) => this.#check(part));
    }
  }

  #ident(expr: IdentExpr): CelType {
    const { scope, names } = this.#context;
    const name = withoutDot(expr.name);
    const type = scope.find(name) ?? typeNames.get(name);
    if (type) {
      names.set(expr.id, name);
      return type;
    }
    const otherwise =
      'the variables of a rule are self and oldSelf; the variable of a macro exists only inside of it';
    const hint = didYouMean(name, [...scope.names(), ...typeNames.keys()], otherwise);
    return this.#context.problem(
      expr,
      'undeclared',
      `undeclared variable '${name}'`,
      hint,
      undeclaredReference(name),
    );
  }

  #select(expr: SelectExpr): CelType {
    const name = withoutDot(qualifiedName(expr) ?? '');
    const named = typeNames.get(name) ?? (name.includes('.') ? this.#context.scope.find(name) : undefined);
    if (named) {
      this.#context.names.set(expr.id, name);
      return named;
    }
    const range = { start: expr.nameStart, end: expr.nameStart + expr.field.length, at: expr.at };
    const type = this.#field(expr.operand, expr.field, false, range);
    return expr.testOnly ? boolType : this.#context.bindings.resolve(type, false);
  }

  /** The type of a field; an optional when the operand is one, or for an optional selection. */
  #field(operand: Expr, field: string, optional: boolean, range: Place): CelType {
    const { bindings } = this.#context;
    const type = bindings.resolve(this.#check(operand), false);
    const value = optionalValue(type);
    const found = fieldType(value ?? type, field);
    // The operand could be anything, so everything that follows is, too.
    if (found === 'unbound') isAssignable(bindings, dynType, value ?? type);
    const known = typeof found === 'string' ? { type: dynType } : found;
    const result =
      'problem' in known ? this.#context.report(range, known.problem, known.compilerText) : known.type;
    return value || optional ? optionalOf(result) : result;
  }

  #call(expr: CallExpr): CelType {
    if (expr.function === '_?._') return this.#optionalField(expr);
    const args = expr.args.map((arg) => this.#check(arg));
    if (!expr.target) return checkFunction(expr, withoutDot(expr.function), false, args, this.#context);
    const prefix = qualifiedName(expr.target);
    const name = prefix === undefined ? undefined : `${withoutDot(prefix)}.${expr.function}`;
    if (name !== undefined && this.#context.findFunction(name)) {
      this.#context.names.set(expr.id, name);
      return checkFunction(expr, name, false, args, this.#context);
    }
    return checkFunction(expr, expr.function, true, [this.#check(expr.target), ...args], this.#context);
  }

  #optionalField(expr: CallExpr): CelType {
    const [operand, field] = [expr.args[0]!, expr.args[1]!];
    const name = field.kind === 'literal' && field.value.type === 'string' ? field.value.value : '';
    this.#context.overloads.set(expr.id, ['select_optional_field']);
    return this.#context.bindings.resolve(this.#field(operand, name, true, { ...field, at: expr.at }), false);
  }

  #list(expr: ListExpr): CelType {
    let type: CelType | undefined;
    for (const { value, optional } of expr.elements) type = this.#join(type, this.#element(value, optional));
    return listOf(type ?? this.#context.bindings.fresh());
  }

  #map(expr: MapExpr): CelType {
    let key: CelType | undefined;
    let value: CelType | undefined;
    for (const entry of expr.entries) {
      key = this.#join(key, this.#check(entry.key));
      value = this.#join(value, this.#element(entry.value, entry.optional));
    }
    const { bindings } = this.#context;
    return mapOf(key ?? bindings.fresh(), value ?? bindings.fresh());
  }

  #element(expr: Expr, optional: boolean): CelType {
    const type = this.#check(expr);
    if (!optional) return type;
    const value = optionalValue(type);
    if (value || type.kind === 'dyn') return value ?? type;
    const hint = 'remove the "?", or write an optional value: ?self.?x';
    return this.#context.problem(
      expr,
      'type-mismatch',
      `expected an optional, found ${formatType(type)}`,
      hint,
      typeMismatch(optionalOf(type), type),
    );
  }

  #join(previous: CelType | undefined, type: CelType): CelType {
    if (!previous) return type;
    return isAssignable(this.#context.bindings, previous, type) ? mostGeneral(previous, type) : dynType;
  }

  /** Struct literals create Protocol Buffers messages, which rules do not have, or the objects of a mutation. */
  #struct(expr: StructExpr): CelType {
    if (this.#context.createsObjects && isCreatedType(expr.typeName)) return this.#created(expr);
    for (const field of expr.fields) this.#check(field.value);
    const hint =
      'a rule cannot create objects; compare the fields one by one, or write a map: {"key": value}';
    const message = `undeclared message type '${expr.typeName}'`;
    return this.#context.problem(expr, 'undeclared', message, hint, undeclaredReference(expr.typeName));
  }

  #created({ typeName, fields }: StructExpr): CelType {
    for (const { name, value, optional, colon } of fields) {
      const type = this.#element(value, optional);
      const wanted = typeName === patchTypeName && name !== 'value' ? stringType : dynType;
      if (isAssignable(this.#context.bindings, wanted, type)) continue;
      const message = `the field ${name} is ${formatType(wanted)}, not ${formatType(type)}`;
      this.#context.problem(
        { ...value, at: colon },
        'type-mismatch',
        message,
        `write a ${formatType(wanted)}`,
        `expected type of field '${name}' is '${compilerType(wanted)}' but provided type is '${compilerType(type)}'`,
      );
    }
    return struct(typeName);
  }
}
