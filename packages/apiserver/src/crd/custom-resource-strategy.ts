import { cloneJson } from '../json/clone-json.ts';
import type {
  CustomResourceDefinitionVersion,
  CustomResourceSubresourceScale,
} from 'ots-kubernetes/apiextensions/v1';
import { Correlated } from 'ots-cel/correlated';
import type { StrictErrors } from '../decoding/strict-errors.ts';
import type { ApiObject } from '../json/api-object.ts';
import type { SlowConversion } from '../registry/slow-conversion.ts';
import { Strategy } from '../registry/strategy.ts';
import { applyDefaults } from '../schema/apply-defaults.ts';
import { decodeEmbedded, validateEmbedded } from '../schema/embedded-objects.ts';
import type { Schema } from '../schema/json-schema.ts';
import { pruneNulls, prune } from '../schema/prune.ts';
import { validate } from '../schema/validate.ts';
import { validateUniqueness } from '../schema/validate-uniqueness.ts';
import { type FieldError, invalid } from '../status/field-error.ts';
import type { WebhookConverter } from './conversion/webhook-converter.ts';
import type { Crd } from './crd-types.ts';
import { finalizerWarnings } from './finalizer-warnings.ts';
import { hasRules } from './rules/has-rules.ts';
import { asStructural, ruleErrors } from './rules/rule-errors.ts';
import { validateScaleSpec, validateScaleStatus } from './validate-scale.ts';

/** Errors after which the rules are not evaluated. */
const blocking = new Set<FieldError['reason']>([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
]);
const notChecked = invalid(
  '<nil>',
  null,
  'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
);

/** The objects of one version of a custom resource. */
export class CustomResourceStrategy extends Strategy {
  override readonly slowConversion: SlowConversion | undefined;
  readonly #apiVersion: string;
  readonly #storageApiVersion: string;
  readonly #schema: Schema;
  readonly #scale: CustomResourceSubresourceScale | undefined;
  /** The schemas of all versions, by `apiVersion`. */
  readonly #schemas: ReadonlyMap<string, Schema>;
  readonly #hasRules: boolean;

  /**
   * @param version a version of the definition
   * @param converter calls the webhook that converts between versions; undefined for the strategy None
   */
  constructor({ spec }: Crd, version: CustomResourceDefinitionVersion, converter?: WebhookConverter) {
    super({
      hasStatus: version.subresources?.status !== undefined,
      allowsUnconditionalUpdate: false,
      countsGenerations: true,
    });
    const apiVersionOf = ({ name }: CustomResourceDefinitionVersion) => `${spec.group}/${name}`;
    this.#apiVersion = apiVersionOf(version);
    this.#storageApiVersion = apiVersionOf(spec.versions.find(({ storage }) => storage) ?? version);
    this.#schemas = new Map(spec.versions.map((other) => [apiVersionOf(other), schemaOf(other)]));
    this.#schema = this.#schemaOf(this.#apiVersion);
    this.#scale = version.subresources?.scale;
    this.#hasRules = hasRules(this.#schema);
    this.slowConversion = converter && this.#slowConversionBy(converter);
  }

  override decode(object: ApiObject, strict: StrictErrors): ApiObject {
    const pruned: string[] = [];
    prune(object, this.#schema, pruned);
    // Unlike for built-in kinds, nothing in the path is escaped.
    for (const path of pruned.toSorted()) strict.add(`unknown field "${path}"`);
    pruneNulls(object, this.#schema);
    decodeEmbedded(object, this.#schema, strict);
    this.setDefaults(object);
    return object;
  }

  override setDefaults(object: ApiObject): void {
    applyDefaults(object, this.#schema);
  }

  /** A real server drops invalid nulls from bodies, and accepts those in a merge result. */
  override complete(object: ApiObject): ApiObject {
    prune(object, this.#schema, []);
    this.setDefaults(object);
    return object;
  }

  /** The conversion strategy None only changes the version. Fields that the other version does not have are lost. */
  override toStorage(object: ApiObject): ApiObject {
    if (this.#apiVersion === this.#storageApiVersion) return object;
    return this.#coerced({ ...cloneJson(object), apiVersion: this.#storageApiVersion });
  }

  override fromStorage(object: ApiObject): ApiObject {
    const stored = this.#decoded(object);
    return stored.apiVersion === this.#apiVersion
      ? stored
      : this.#coerced({ ...stored, apiVersion: this.#apiVersion });
  }

  /** A stored object with the defaults of its own version, which are the only ones that a read sets. */
  #decoded(object: ApiObject): ApiObject {
    const stored = this.#coerced(cloneJson(object));
    applyDefaults(stored, this.#schemaOf(stored.apiVersion));
    return stored;
  }

  /** Removes what the schema of the object's version does not allow. Changes the object. */
  #coerced(object: ApiObject): ApiObject {
    const schema = this.#schemaOf(object.apiVersion);
    prune(object, schema, []);
    pruneNulls(object, schema);
    return object;
  }

  #schemaOf(apiVersion: string): Schema {
    return this.#schemas.get(apiVersion) ?? this.#schema;
  }

  #slowConversionBy(converter: WebhookConverter): SlowConversion {
    const convert = async (object: ApiObject, apiVersion: string) =>
      this.#coerced(await converter.convert(object, apiVersion));
    return {
      toStorage: (object) =>
        object.apiVersion === this.#storageApiVersion ? undefined : convert(object, this.#storageApiVersion),
      fromStorage: (object) =>
        object.apiVersion === this.#apiVersion ? undefined : convert(this.#decoded(object), this.#apiVersion),
      convert: (object, apiVersion) => converter.convert(object, apiVersion),
    };
  }

  override prepareForStatusUpdate(object: ApiObject, old: ApiObject): void {
    super.prepareForStatusUpdate(object, old);
    object.metadata = { ...old.metadata };
  }

  override validate(object: ApiObject): FieldError[] {
    const errors = [
      ...validate(object, this.#schema),
      ...validateEmbedded(object, this.#schema),
      ...validateUniqueness(object, this.#schema),
      ...validateScaleSpec(object, this.#scale),
      ...validateScaleStatus(object, this.#scale),
    ];
    return [...errors, ...this.#checkRules(errors, object)];
  }

  /** Accepts errors that existed before and did not change, where the old value can be correlated. */
  override validateUpdate(object: ApiObject, old: ApiObject, warnings: string[] = []): FieldError[] {
    const change = new Correlated(asStructural(this.#schema), object, old);
    const errors = [
      ...validate(object, this.#schema, { change }),
      ...validateEmbedded(object, this.#schema),
      ...this.#duplicates(object, old),
      ...validateScaleSpec(object, this.#scale),
      ...validateScaleStatus(object, this.#scale),
    ];
    return [...errors, ...this.#checkRules(errors, object, { old, warnings })];
  }

  /** Validates only the status against its schema; rules may refer to the whole object. */
  override validateStatusUpdate(object: ApiObject, old: ApiObject, warnings: string[] = []): FieldError[] {
    const schema = this.#schema.properties?.['status'];
    const status: unknown = object['status'];
    const change = new Correlated(asStructural(this.#schema), object, old).child('status');
    const errors = [
      ...(schema && status !== undefined ? validate(status, schema, { base: 'status', change }) : []),
      ...this.#duplicates(object, old),
      ...validateScaleStatus(object, this.#scale),
    ];
    return [...errors, ...this.#checkRules(errors, object, { old, warnings })];
  }

  override warningsFor(object: ApiObject, old: ApiObject | undefined): string[] {
    return finalizerWarnings(object.metadata.finalizers ?? [], old?.metadata.finalizers ?? []);
  }

  /** If one list already has duplicates, no list is checked. */
  #duplicates(object: ApiObject, old: ApiObject): FieldError[] {
    const found = validateUniqueness(object, this.#schema);
    return found.length > 0 && validateUniqueness(old, this.#schema).length === 0 ? found : [];
  }

  #checkRules(
    errors: readonly FieldError[],
    object: ApiObject,
    update?: { old: ApiObject; warnings: string[] },
  ): FieldError[] {
    if (!this.#hasRules) return [];
    if (errors.some(({ reason }) => blocking.has(reason))) return [notChecked];
    const subject = { schema: this.#schema, value: object, old: update?.old, root: true };
    return ruleErrors(subject, '', ({ field, message }) => update?.warnings.push(`${field}: ${message}`));
  }
}

/** A version without a schema keeps all fields. */
function schemaOf({ schema }: CustomResourceDefinitionVersion): Schema {
  return schema?.openAPIV3Schema ?? { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
}
