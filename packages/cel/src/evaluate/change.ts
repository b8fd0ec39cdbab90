import type { StructuralSchema } from '../schema/structural-schema.ts';
import { Correlated } from './correlated.ts';

/** Whether a part of an object is as it was. What fails in such a part did so before, and the API server lets it pass. */
export class Change {
  readonly #current: Correlated | undefined;
  /** The closest part around this one of which is known what it was. */
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

  /** Of a property or an item. */
  ofChild(key: string | number): Change {
    if (!this.#current) return this;
    // The two versions are converted to the same one before they are compared.
    if (!this.#around && (key === 'apiVersion' || key === 'kind')) return new Change(undefined, undefined);
    return new Change(this.#current.child(key), this.#current);
  }

  /** For the rules of an `allOf`, which look at what is around alone. */
  ofAllOf(): Change {
    return new Change(undefined, this.#around);
  }
}
