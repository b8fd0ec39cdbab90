import { closestName } from 'ots-apimachinery/closest-name';
import type { Place } from '../ast.ts';
import { findFunction, patchFunction } from '../declare/find-function.ts';
import type { Overload } from '../declare/overload.ts';
import type { Problem, ProblemCode, UnplacedProblem } from '../problem.ts';
import { Bindings } from '../types/bindings.ts';
import { type CelType, errorType } from '../types/cel-type.ts';
import { compilerType } from '../types/compiler-type.ts';
import { formatType } from '../types/format-type.ts';
import { Scope } from './scope.ts';

/** The state while an expression is checked. */
export class CheckContext {
  readonly problems: Problem[] = [];
  readonly bindings = new Bindings();
  readonly types = new Map<number, CelType>();
  readonly overloads = new Map<number, readonly string[]>();
  readonly names = new Map<number, string>();
  /** Whether the expression can create objects and patches. */
  readonly createsObjects: boolean;
  /** The variables in scope of the current part. */
  scope: Scope;

  constructor(variables: ReadonlyMap<string, CelType>, createsObjects: boolean) {
    this.scope = new Scope(variables);
    this.createsObjects = createsObjects;
  }

  /** The overloads of a function that exists in the environment of the expression. */
  findFunction(name: string): readonly Overload[] | undefined {
    return this.createsObjects || name !== patchFunction ? findFunction(name) : undefined;
  }

  /**
   * Adds a problem and returns the error type.
   *
   * @param text the message of the API server's compiler
   */
  problem(range: Place, code: ProblemCode, message: string, hint: string, text?: string): CelType {
    return this.report(range, { code, message, hint }, text);
  }

  report({ start, end, at = start }: Place, problem: UnplacedProblem, text?: string): CelType {
    this.problems.push({ ...problem, start, end, ...(text !== undefined && { compiler: { text, at } }) });
    return errorType;
  }

  /** Formats a type for messages. */
  format(type: CelType): string {
    return formatType(this.bindings.resolve(type, true));
  }
}

/** The message of the API server's compiler about an unknown name. */
export function undeclaredReference(name: string): string {
  return `undeclared reference to '${name}' (in container '')`;
}

/** The message of the API server's compiler about a value of the wrong type. */
export function typeMismatch(wanted: CelType, found: CelType): string {
  return `expected type '${compilerType(wanted)}' but found '${compilerType(found)}'`;
}

/** A leading dot marks a name as global; rules have no other names. */
export function withoutDot(name: string): string {
  return name.startsWith('.') ? name.slice(1) : name;
}

/** The hint about an unknown name. */
export function didYouMean(name: string, candidates: Iterable<string>, otherwise: string): string {
  const closest = closestName(name, candidates);
  return closest === undefined ? otherwise : `did you mean ${closest}?`;
}
