import { cloneJson } from '../json/clone-json.ts';
import type {
  CustomResourceDefinitionVersion,
  CustomResourceSubresourceScale,
} from 'ots-kubernetes/apiextensions/v1';
import { Correlated } from 'ots-cel/correlated';
import type { StrictErrors } from '../decoding/strict-errors.ts';
import type { ApiObject } from '../json/api-object.ts';
import { Strategy } from '../registry/strategy.ts';
import { applyDefaults } from '../schema/apply-defaults.ts';
import { decodeEmbedded, validateEmbedded } from '../schema/embedded-objects.ts';
import type { Schema } from '../schema/json-schema.ts';
import { pruneNulls, prune } from '../schema/prune.ts';
import { validate } from '../schema/validate.ts';
import { validateUniqueness } from '../schema/validate-uniqueness.ts';
import { type FieldError, invalid } from '../status/field-error.ts';
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
  readonly #apiVersion: string;
  readonly #storageApiVersion: string;
  readonly #schema: Schema;
  readonly #scale: CustomResourceSubresourceScale | undefined;
  readonly #storageSchema: Schema;
  readonly #hasRules: boolean;

  constructor(
    group: string,
    version: CustomResourceDefinitionVersion,
    storage: CustomResourceDefinitionVersion,
  ) {
    super({
      hasStatus: version.subresources?.status !== undefined,
      allowsUnconditionalUpdate: false,
      countsGenerations: true,
    });
    this.#apiVersion = `${group}/${version.name}`;
    this.#storageApiVersion = `${group}/${storage.name}`;
    this.#schema = schemaOf(version);
    this.#scale = version.subresources?.scale;
    this.#storageSchema = schemaOf(storage);
    this.#hasRules = hasRules(this.#schema);
  }

  override decode(object: ApiObject, strict: StrictErrors): ApiObject {
    const pruned: string[] = [];
    prune(object, this.#schema, pruned);
    // Unlike for built-in kinds, nothing in the path is escaped.
    for (const path of pruned.toSorted()) strict.add(`unknown field "${path}"`);
    pruneNulls(object, this.#schema);
    decodeEmbedded(object, this.#schema, strict);
    applyDefaults(object, this.#schema);
    return object;
  }

  /** A real server drops invalid nulls from bodies, and accepts those in a merge result. */
  override complete(object: ApiObject): ApiObject {
    prune(object, this.#schema, []);
    applyDefaults(object, this.#schema);
    return object;
  }

  /** The conversion strategy None only changes the version. Fields that the other version does not have are lost. */
  override toStorage(object: ApiObject): ApiObject {
    if (this.#apiVersion === this.#storageApiVersion) return object;
    const stored = { ...cloneJson(object), apiVersion: this.#storageApiVersion };
    prune(stored, this.#storageSchema, []);
    return stored;
  }

  override fromStorage(object: ApiObject): ApiObject {
    const shown = { ...cloneJson(object), apiVersion: this.#apiVersion };
    prune(shown, this.#schema, []);
    pruneNulls(shown, this.#schema);
    applyDefaults(shown, this.#schema);
    return shown;
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
