import type { CelValue } from './cel-value.ts';
import { noSuchOverload } from './evaluation-error.ts';
import type { CelEvaluationError } from './evaluation-error.ts';

/** A named format of Kubernetes for validating strings, like `format.dns1123Label()`. */
export class NamedFormat {
  readonly typeName = 'kubernetes.NamedFormat';
  readonly name: string;
  /** The pattern length that the API server uses to compute costs. */
  readonly patternLength: number;
  /** The errors in a text; empty when it is valid. */
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
