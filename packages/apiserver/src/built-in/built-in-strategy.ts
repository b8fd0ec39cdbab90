import { objectSchema } from 'ots-kubernetes/object-schemas';
import type { ObjectSchema } from 'ots-kubernetes/object-schema';
import type { ApiObject } from '../objects/api-object.ts';
import type { FieldError } from '../status/field-error.ts';
import { Strategy, type StrategyTraits } from '../registry/strategy.ts';
import { fillAbsent } from './fill-absent.ts';

/** What a strategy of a built-in kind is told of its resource. */
export interface BuiltInTraits extends StrategyTraits {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/**
 * A built-in kind: its schema says what its fields are and what is written for those that are absent; subclasses add the
 * defaults, the preparation and the validation that the schema does not tell.
 */
export class BuiltInStrategy extends Strategy {
  readonly #type: { group: string; version: string; kind: string };

  constructor(traits: BuiltInTraits) {
    super(traits);
    this.#type = traits;
  }

  override decode(object: ApiObject, _unknown: string[]): ApiObject {
    const { metadata, ...fields } = object;
    fillAbsent(fields, { ...this.#fields() });
    const decoded: ApiObject = { ...object, ...fields, metadata };
    this.setDefaults(decoded);
    return decoded;
  }

  /** Sets the defaults that depend on other fields, or that the schema does not tell. May change the object. */
  setDefaults(_object: ApiObject): void {}

  override validateStatusUpdate(_object: ApiObject, _old: ApiObject): FieldError[] {
    return [];
  }

  /** The schema without the metadata, which every kind has alike. */
  #fields(): ObjectSchema {
    const { group, version, kind } = this.#type;
    const properties = new Map(objectSchema(group, version, kind)?.properties);
    properties.delete('metadata');
    return { properties };
  }
}
