import type { CelValue } from './cel-value.ts';

/** A type as a value: what `type(x)` gives, and what names like `int` stand for. */
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
