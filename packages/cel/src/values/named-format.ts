import type { CelValue } from './cel-value.ts';
import { noSuchOverload } from './evaluation-error.ts';
import type { CelEvaluationError } from './evaluation-error.ts';

/** A format of Kubernetes that texts can be checked against, like `format.dns1123Label()`. */
export class NamedFormat {
  readonly typeName = 'kubernetes.NamedFormat';
  readonly name: string;
  /** What the API server takes for the length of its pattern when it computes costs. */
  readonly patternLength: number;
  /** What is wrong with a text; empty when nothing is. */
  readonly validate: (text: string) => string[];

  constructor(name: string, patternLength: number, validate: (text: string) => string[]) {
    this.name = name;
    this.patternLength = patternLength;
    this.validate = validate;
  }

  equals(other: CelValue): boolean | CelEvaluationError {
    return other instanceof NamedFormat ? other.name === this.name : noSuchOverload();
  }
}
