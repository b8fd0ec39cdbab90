import type { CelValue } from './cel-value.ts';

/** A type as a value: the result of `type(x)`, and the value of names like `int`. */
export class TypeValue {
  readonly typeName = 'type';
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }

  equals(other: CelValue): boolean {
    return other instanceof TypeValue && other.name === this.name;
  }
}
