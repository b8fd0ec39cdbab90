import { closestName } from 'ots-apimachinery/closest-name';
import type { Range } from '../ast.ts';
import type { Problem, ProblemCode } from '../problem.ts';
import { Bindings } from '../types/bindings.ts';
import { type CelType, errorType } from '../types/cel-type.ts';
import { formatType } from '../types/format-type.ts';
import { Scope } from './scope.ts';

/** The state while an expression is checked. */
export class CheckContext {
  readonly problems: Problem[] = [];
  readonly bindings = new Bindings();
  readonly types = new Map<number, CelType>();
  readonly overloads = new Map<number, readonly string[]>();
  readonly names = new Map<number, string>();
  /** The variables in scope of the current part. */
  scope: Scope;

  constructor(variables: ReadonlyMap<string, CelType>) {
    this.scope = new Scope(variables);
  }

  /** Adds a problem and returns the error type. */
  problem(range: Range, code: ProblemCode, message: string, hint: string): CelType {
    return this.report(range, { code, message, hint });
  }

  report(range: Range, problem: Omit<Problem, 'start' | 'end'>): CelType {
    this.problems.push({ ...problem, start: range.start, end: range.end });
    return errorType;
  }

  /** Formats a type for messages. */
  format(type: CelType): string {
    return formatType(this.bindings.resolve(type, true));
  }
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
