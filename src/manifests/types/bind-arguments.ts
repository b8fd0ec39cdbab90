import type { TSType, TSTypeParameter } from 'oxc-parser';
import type { TypeDeclaration } from '../source/module.ts';
import { describeNode } from './describe-node.ts';
import { lazy, placeOf } from './type.ts';
import type { LazyType, Place, Scope } from './type.ts';
import type { TypeArguments, TypeContext } from './type-context.ts';

/**
 * Creates one scope per declaration of a generic type and set of type arguments. Equal arguments return the
 * same scope, which is how a type that contains itself is recognized.
 */
export class ArgumentBinder {
  readonly #context: TypeContext;
  readonly #arguments = new WeakMap<TSType, Map<Scope, LazyType>>();
  readonly #scopes = new Map<TypeDeclaration, Map<string, Scope>>();
  readonly #numbers = new Map<LazyType, number>();

  constructor(context: TypeContext) {
    this.#context = context;
  }

  /**
   * Returns the scope in which to read a declaration.
   * @param from the scope in which the arguments are written
   * @returns undefined after an error: too many or too few arguments
   */
  bind(
    declaration: TypeDeclaration,
    from: Scope,
    typeArguments: TypeArguments | null,
    at: Place,
  ): Scope | undefined {
    const outer = this.#context.scopeOf(declaration.module);
    const parameters = parametersOf(declaration);
    const given = typeArguments?.params ?? [];
    if (parameters.length === 0 && given.length === 0) return outer;
    const missing = parameters.slice(given.length).find((parameter) => !parameter.default);
    if (given.length > parameters.length || missing) {
      const place = typeArguments ? placeOf(from, typeArguments) : at;
      return this.#fail(declaration, parameters, given.length, place);
    }
    const bound = given.map((node) => this.#argument(from, node));
    const key = bound.map((type) => this.#numberOf(type)).join();
    let scopes = this.#scopes.get(declaration);
    if (!scopes) this.#scopes.set(declaration, (scopes = new Map()));
    let scope = scopes.get(key);
    if (!scope) scopes.set(key, (scope = this.#newScope(outer, parameters, bound)));
    return scope;
  }

  #newScope(outer: Scope, parameters: readonly TSTypeParameter[], bound: readonly LazyType[]): Scope {
    const bindings = new Map<string, LazyType>();
    const scope: Scope = { module: outer.module, bindings };
    for (const [index, parameter] of parameters.entries()) {
      // A default can refer to the parameters before it.
      const type = bound[index] ?? lazy(() => this.#context.reduce(scope, parameter.default!));
      bindings.set(parameter.name.name, type);
    }
    return scope;
  }

  #argument(scope: Scope, node: TSType): LazyType {
    // A parameter that is passed on keeps its original meaning.
    if (node.type === 'TSTypeReference' && node.typeName.type === 'Identifier' && !node.typeArguments) {
      const bound = scope.bindings.get(node.typeName.name);
      if (bound) return bound;
    }
    let known = this.#arguments.get(node);
    if (!known) this.#arguments.set(node, (known = new Map()));
    let type = known.get(scope);
    if (!type) known.set(scope, (type = lazy(() => this.#context.reduce(scope, node))));
    return type;
  }

  #numberOf(type: LazyType): number {
    const number = this.#numbers.get(type) ?? this.#numbers.size;
    this.#numbers.set(type, number);
    return number;
  }

  #fail(
    { name, module }: TypeDeclaration,
    parameters: readonly TSTypeParameter[],
    given: number,
    at: Place,
  ): undefined {
    if (parameters.length === 0) {
      const message = `${name} takes no type arguments`;
      return this.#context.fail(at, 'type-arguments', message, `write ${name}`);
    }
    const least = parameters.filter((parameter) => !parameter.default).length;
    const range = least === parameters.length ? `${least}` : `${least} to ${parameters.length}`;
    const message = `${name} takes ${range} type argument${range === '1' ? '' : 's'}, not ${given}`;
    const written = parameters.map((parameter) => describeNode({ module }, parameter)).join(', ');
    return this.#context.fail(at, 'type-arguments', message, `it is declared as ${name}<${written}>`);
  }
}

function parametersOf({ node }: TypeDeclaration): readonly TSTypeParameter[] {
  const isGeneric = node.type === 'TSInterfaceDeclaration' || node.type === 'TSTypeAliasDeclaration';
  return (isGeneric && node.typeParameters?.params) || [];
}
