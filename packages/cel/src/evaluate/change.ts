import type { StructuralSchema } from '../schema/structural-schema.ts';
import { Correlated } from './correlated.ts';

/** Whether a part of an object changed. Failures in an unchanged part existed before, and the API server tolerates them. */
export class Change {
  readonly #current: Correlated | undefined;
  /** The closest enclosing part whose old value is known. */
  readonly #around: Correlated | undefined;

  private constructor(current: Correlated | undefined, around: Correlated | undefined) {
    this.#current = current;
    this.#around = around;
  }

  static ofRoot(schema: StructuralSchema, value: unknown, old: unknown): Change {
    return new Change(old === undefined ? undefined : new Correlated(schema, value, old), undefined);
  }

  get none(): boolean {
    return (this.#current ?? this.#around)?.unchanged ?? false;
  }

  /** For a property or an item. */
  ofChild(key: string | number): Change {
    if (!this.#current) return this;
    // Both versions are converted to the same version before they are compared.
    if (!this.#around && (key === 'apiVersion' || key === 'kind')) return new Change(undefined, undefined);
    return new Change(this.#current.child(key), this.#current);
  }

  /** For the rules of an `allOf`, which only consider the enclosing part. */
  ofAllOf(): Change {
    return new Change(undefined, this.#around);
  }
}
