import { StrictErrors } from '../decoding/strict-errors.ts';
import type { ApiObject } from '../json/api-object.ts';
import type { JsonObject } from '../json/json-object.ts';
import type { FieldError } from '../status/field-error.ts';
import { type BuiltInTraits, BuiltInStrategy } from '../registry/built-in-strategy.ts';

/** How objects get from one version of a kind into the one that they are stored in, and back. */
export interface Conversion {
  /** May share parts with the object, which it does not change. What it reads out of texts need not have the right types. */
  toStored(object: ApiObject): ApiObject;
  fromStored(object: ApiObject): ApiObject;
  /** Sets the defaults of this version. May change the object. */
  setDefaults(object: ApiObject): void;
}

/** A version of a built-in kind that is stored in another one: all rules are those of the stored version. */
export class ConvertedStrategy extends BuiltInStrategy {
  override readonly isConverted = true;
  readonly #stored: BuiltInStrategy;
  readonly #conversion: Conversion;

  /** @param stored the strategy of the version that objects are stored in */
  constructor(traits: BuiltInTraits, stored: BuiltInStrategy, conversion: Conversion) {
    super(traits);
    this.#stored = stored;
    this.#conversion = conversion;
  }

  /** What the stored version says about absent fields shows at once. */
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

  /** Lets the stored form of an object be changed, and brings the change back into it. */
  #change(object: ApiObject, change: (stored: ApiObject) => void): void {
    const stored = this.toStorage(object);
    change(stored);
    for (const field of Object.keys(object)) delete object[field];
    Object.assign(object, this.fromStorage(stored));
  }
}
