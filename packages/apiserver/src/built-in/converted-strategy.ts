import { StrictErrors } from '../decoding/strict-errors.ts';
import type { ApiObject } from '../json/api-object.ts';
import type { JsonObject } from '../json/json-object.ts';
import type { FieldError } from '../status/field-error.ts';
import { type BuiltInTraits, BuiltInStrategy } from '../registry/built-in-strategy.ts';

/** Converts objects between a version of a kind and its storage version. */
export interface Conversion {
  /** The result may share parts with the object, which does not change. Values parsed from texts may have wrong types. */
  toStored(object: ApiObject): ApiObject;
  fromStored(object: ApiObject): ApiObject;
  /** Sets the defaults of this version. May change the object. */
  setDefaults(object: ApiObject): void;
}

/** A version of a built-in kind other than its storage version, whose rules apply. */
export class ConvertedStrategy extends BuiltInStrategy {
  override readonly isConverted = true;
  readonly #stored: BuiltInStrategy;
  readonly #conversion: Conversion;

  /** @param stored the strategy of the storage version */
  constructor(traits: BuiltInTraits, stored: BuiltInStrategy, conversion: Conversion) {
    super(traits);
    this.#stored = stored;
    this.#conversion = conversion;
  }

  /** The defaults of the storage version appear at once. */
  override decode(object: JsonObject, strict: StrictErrors): ApiObject {
    const stored = this.toStorage(super.decode(object, strict));
    this.#stored.setDefaults(stored);
    return this.fromStorage(stored);
  }

  override setDefaults(object: ApiObject): void {
    this.#conversion.setDefaults(object);
  }

  override toStorage(object: ApiObject): ApiObject {
    return this.#stored.read(this.#conversion.toStored(object), new StrictErrors());
  }

  override fromStorage(object: ApiObject): ApiObject {
    return this.#conversion.fromStored(object);
  }

  override prepareForCreate(object: ApiObject): void {
    this.#change(object, (stored) => this.#stored.prepareForCreate(stored));
  }

  override prepareForUpdate(object: ApiObject, old: ApiObject): void {
    this.#change(object, (stored) => this.#stored.prepareForUpdate(stored, this.toStorage(old)));
  }

  override prepareForStatusUpdate(object: ApiObject, old: ApiObject): void {
    this.#change(object, (stored) => this.#stored.prepareForStatusUpdate(stored, this.toStorage(old)));
  }

  override validate(object: ApiObject): FieldError[] {
    return this.#stored.validate(this.toStorage(object));
  }

  override validateUpdate(object: ApiObject, old: ApiObject, warnings: string[] = []): FieldError[] {
    return this.#stored.validateUpdate(this.toStorage(object), this.toStorage(old), warnings);
  }

  override validateStatusUpdate(object: ApiObject, old: ApiObject): FieldError[] {
    return this.#stored.validateStatusUpdate(this.toStorage(object), this.toStorage(old));
  }

  override warningsFor(object: ApiObject, old: ApiObject | undefined): string[] {
    return this.#stored.warningsFor(this.toStorage(object), old && this.toStorage(old));
  }

  /** Converts an object to its stored form, changes that, and converts it back. */
  #change(object: ApiObject, change: (stored: ApiObject) => void): void {
    const stored = this.toStorage(object);
    change(stored);
    for (const field of Object.keys(object)) delete object[field];
    Object.assign(object, this.fromStorage(stored));
  }
}
