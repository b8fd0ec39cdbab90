import type { CustomResourceDefinitionVersion } from 'ots-kubernetes/apiextensions/v1';
import type { ApiObject } from '../objects/api-object.ts';
import { Strategy } from '../registry/strategy.ts';
import { applyDefaults } from '../schema/apply-defaults.ts';
import type { Schema } from '../schema/json-schema.ts';
import { prune } from '../schema/prune.ts';
import { validate } from '../schema/validate.ts';
import { validateUniqueness } from '../schema/validate-uniqueness.ts';
import type { FieldError } from '../status/field-error.ts';

/** The objects of one version of a custom resource. CEL rules of its schema are not evaluated. */
export class CustomResourceStrategy extends Strategy {
  readonly #apiVersion: string;
  readonly #storageApiVersion: string;
  readonly #schema: Schema;
  readonly #storageSchema: Schema;

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
    this.#storageSchema = schemaOf(storage);
  }

  override decode(object: ApiObject, unknown: string[]): ApiObject {
    const pruned: string[] = [];
    prune(object, this.#schema, pruned);
    unknown.push(...pruned.toSorted());
    applyDefaults(object, this.#schema);
    return object;
  }

  /** A real server drops null on the way in, where it is not allowed; what it merged itself has passed there. */
  override complete(object: ApiObject): ApiObject {
    prune(object, this.#schema, []);
    applyDefaults(object, this.#schema, true);
    return object;
  }

  /** The conversion strategy None changes the version, and what the other version does not know is lost. */
  override toStorage(object: ApiObject): ApiObject {
    if (this.#apiVersion === this.#storageApiVersion) return object;
    const stored = { ...structuredClone(object), apiVersion: this.#storageApiVersion };
    prune(stored, this.#storageSchema, []);
    return stored;
  }

  override fromStorage(object: ApiObject): ApiObject {
    const shown = { ...structuredClone(object), apiVersion: this.#apiVersion };
    prune(shown, this.#schema, []);
    applyDefaults(shown, this.#schema);
    return shown;
  }

  override prepareForStatusUpdate(object: ApiObject, old: ApiObject): void {
    super.prepareForStatusUpdate(object, old);
    object.metadata = { ...old.metadata };
  }

  override validate(object: ApiObject): FieldError[] {
    const { metadata: _checkedBefore, ...rest } = object;
    const { metadata: _ofMetadata, ...properties } = this.#schema.properties ?? {};
    const schema = { ...this.#schema, properties };
    return [...validate(rest, schema), ...validateUniqueness(rest, schema)];
  }
}

/** A version without a schema keeps everything. */
function schemaOf({ schema }: CustomResourceDefinitionVersion): Schema {
  return schema?.openAPIV3Schema ?? { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
}
