import type { ApiObject } from '../json/api-object.ts';
import type { JsonObject } from '../json/json-object.ts';
import { decodeTyped, fillAbsent } from '../decoding/decode-typed.ts';
import type { StrictErrors } from '../decoding/strict-errors.ts';
import type { GoStruct } from '../decoding/go-type.ts';
import { goTypeOfKind } from '../decoding/go-type-of-kind.ts';
import type { FieldError } from '../status/field-error.ts';
import { keepNoManagers } from '../metadata/decode-metadata.ts';
import { apiVersionOf } from './resource.ts';
import { Strategy, type StrategyTraits } from './strategy.ts';

/** What the strategy of a built-in kind needs to know of its resource. */
export interface BuiltInTraits extends StrategyTraits {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/**
 * A built-in kind. Its schema defines the fields and what to write for absent ones. Subclasses add the defaults,
 * preparation and validation that the schema does not express.
 */
export class BuiltInStrategy extends Strategy {
  override readonly decodesMetadata = true;
  readonly #type: { group: string; version: string; kind: string };
  readonly #typeMeta: { apiVersion: string; kind: string };
  #struct: GoStruct | undefined;

  constructor(traits: BuiltInTraits) {
    super(traits);
    this.#type = traits;
    this.#typeMeta = { apiVersion: apiVersionOf(traits), kind: traits.kind };
  }

  override decode(object: JsonObject, strict: StrictErrors): ApiObject {
    const decoded = this.read(object, strict);
    this.setDefaults(decoded);
    return decoded;
  }

  /**
   * Decodes an object without the defaults of {@link setDefaults}.
   *
   * @throws {DecodeError} when a field has a type that cannot be read
   */
  read(object: JsonObject, strict: StrictErrors): ApiObject {
    const fields = decodeTyped(object, this.#goType(), strict);
    // The type comes first, because people who read the JSON look for it there.
    const decoded = Object.assign({ ...this.#typeMeta }, fields) as unknown as ApiObject;
    keepNoManagers(object['metadata'], decoded.metadata);
    return decoded;
  }

  override prepareForCreate(object: ApiObject): void {
    super.prepareForCreate(object);
    // Where the status was removed, write what Go writes for an empty one.
    fillAbsent(object, this.#goType());
  }

  override validateStatusUpdate(_object: ApiObject, _old: ApiObject): FieldError[] {
    return [];
  }

  #goType(): GoStruct {
    if (this.#struct) return this.#struct;
    const { group, version, kind } = this.#type;
    const struct = goTypeOfKind(group, version, kind);
    if (!struct) throw new TypeError(`${kind} of ${group}/${version} is not a built-in kind`);
    return (this.#struct = struct);
  }
}
