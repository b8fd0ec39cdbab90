import { cloneJson } from '../json/clone-json.ts';
import { decodeTyped } from '../decoding/decode-typed.ts';
import { goTypeOfKind } from '../decoding/go-type-of-kind.ts';
import { StrictErrors } from '../decoding/strict-errors.ts';
import { objectSchema } from 'ots-kubernetes/object-schemas';
import type { ApiObject } from '../json/api-object.ts';
import type { JsonObject } from '../json/json-object.ts';
import { type Resource, apiVersionOf } from './resource.ts';
import type { ResourceRegistry } from './resource-registry.ts';
import { stringifyJson } from '../json/stringify-json.ts';
import { TypedError } from '../managed-fields/typed-error.ts';
import { validateTyped } from '../managed-fields/validate-typed.ts';
import { prune } from '../schema/prune.ts';
import { StatusError } from '../status/status-error.ts';
import type { Atom } from '../managed-fields/atom.ts';
import { deducedAtom } from '../managed-fields/atom.ts';
import { builtInAtom } from '../managed-fields/built-in-atom.ts';
import { customAtom } from '../managed-fields/custom-atom.ts';
import type { FieldSet } from '../managed-fields/field-set.ts';
import type { StepOrder } from '../managed-fields/fields-v1.ts';
import { sortElements, sortTexts } from '../managed-fields/path-element.ts';
import { resetFieldsOf } from './reset-fields.ts';
import type { TypedVersions } from '../managed-fields/typed-versions.ts';

const atoms = new WeakMap<Resource, Atom>();

/** An object cannot be compared in the version of one of its managers. */
export class InconvertibleError extends Error {
  override readonly name = 'InconvertibleError';

  constructor(task: string, cause: Error) {
    super(task === '' ? cause.message : `failed to ${task}: ${cause.message}`, { cause });
  }
}

/** A computation cannot continue without an object in another version. */
class MissingConversionError extends Error {
  override readonly name = 'MissingConversionError';
  readonly object: JsonObject;
  readonly apiVersion: string;
  readonly task: string;
  readonly key: string;

  constructor(object: JsonObject, apiVersion: string, task: string) {
    super(`not converted to ${apiVersion} yet`);
    this.object = object;
    this.apiVersion = apiVersion;
    this.task = task;
    this.key = `${apiVersion} ${stringifyJson(object)}`;
  }
}

/** The served versions of a resource, for field ownership. */
export class ResourceVersions implements TypedVersions {
  readonly order: StepOrder;
  readonly #resource: Resource;
  readonly #subresource: string;
  readonly #registry: ResourceRegistry;
  /** What a webhook has converted. */
  readonly #converted = new Map<string, JsonObject>();

  constructor(registry: ResourceRegistry, resource: Resource, subresource: string) {
    this.order = resource.custom ? sortTexts : sortElements;
    this.#registry = registry;
    this.#resource = resource;
    this.#subresource = subresource;
  }

  atomOf(apiVersion: string): Atom | undefined {
    const resource = this.#find(apiVersion);
    if (!resource) return undefined;
    return atomOfResource(resource);
  }

  convert(object: JsonObject, apiVersion: string, task: string): JsonObject {
    if (object['apiVersion'] === apiVersion) return object;
    if (this.#resource.strategy.slowConversion) return this.#convertedBefore(object, apiVersion, task);
    const target = this.#find(apiVersion);
    if (target && !target.custom) return this.#convertBuiltIn(object, target);
    const converted = { ...cloneJson(object), apiVersion };
    const schema = target?.definition?.schema?.openAPIV3Schema;
    if (schema) prune(converted, schema, []);
    return converted;
  }

  /**
   * Computes something about the versions of an object where a webhook converts: starts again after each conversion that
   * the computation turns out to need.
   *
   * @param compute changes nothing
   * @throws {InconvertibleError} when the object cannot be converted
   */
  async converting<Result>(compute: () => Result): Promise<Result> {
    for (;;) {
      try {
        return compute();
      } catch (error) {
        if (!(error instanceof MissingConversionError)) throw error;
        this.#converted.set(error.key, await this.#convertSlowly(error));
      }
    }
  }

  #convertedBefore(object: JsonObject, apiVersion: string, task: string): JsonObject {
    // Nothing but a type is the same in every version.
    if (Object.keys(object).length === 2) return { ...object, apiVersion };
    const missing = new MissingConversionError(object, apiVersion, task);
    const known = this.#converted.get(missing.key);
    if (known) return known;
    throw missing;
  }

  async #convertSlowly({ object, apiVersion, task }: MissingConversionError): Promise<JsonObject> {
    const { slowConversion } = this.#resource.strategy;
    try {
      const converted = await slowConversion?.convert(object, apiVersion);
      const atom = this.atomOf(apiVersion);
      if (!converted || !atom) throw new Error(`no conversion to ${apiVersion}`);
      validateTyped(converted, atom);
      return converted;
    } catch (error) {
      if (error instanceof StatusError || error instanceof TypedError)
        throw new InconvertibleError(task, error);
      throw error;
    }
  }

  /** Converts through the storage version. */
  #convertBuiltIn(object: JsonObject, target: Resource): JsonObject {
    const source = this.#find(String(object['apiVersion'])) ?? target;
    // An object with only a type has no metadata.
    const whole = { metadata: {}, ...cloneJson(object) } as ApiObject;
    const converted = target.strategy.fromStorage(source.strategy.toStorage(whole));
    const type = goTypeOfKind(target.group, target.version, target.kind);
    // A struct that lost its fields still exists in the other version: a manager cannot remove it from here.
    const fields = type ? decodeTyped(converted, type, new StrictErrors()) : converted;
    return { ...fields, apiVersion: apiVersionOf(target), kind: target.kind };
  }

  resetFields(apiVersion: string): FieldSet | undefined {
    // For a custom resource, only the version of the request is reset; its status is reset in every version.
    const isReset =
      !this.#resource.custom || this.#subresource !== '' || apiVersion === apiVersionOf(this.#resource);
    return isReset ? resetFieldsOf(this.#resource, this.#subresource) : undefined;
  }

  #find(apiVersion: string): Resource | undefined {
    if (apiVersion === apiVersionOf(this.#resource)) return this.#resource;
    // Groups that share objects, such as those of events, do not know each other's versions.
    return this.#registry
      .ofTable(this.#resource.table)
      .find((resource) => resource.group === this.#resource.group && apiVersionOf(resource) === apiVersion);
  }
}

/** How field ownership can split the objects of a resource. */
export function atomOfResource(resource: Resource): Atom {
  let atom = atoms.get(resource);
  if (!atom) atoms.set(resource, (atom = readAtom(resource)));
  return atom;
}

function readAtom({ group, version, kind, definition }: Resource): Atom {
  if (definition) {
    const schema = definition.schema?.openAPIV3Schema;
    return schema ? customAtom(schema, metadataAtom()) : deducedAtom;
  }
  const schema = objectSchema(group, version, kind);
  return schema ? builtInAtom(schema) : deducedAtom;
}

function metadataAtom(): Atom {
  const schema = objectSchema('', 'v1', 'ConfigMap')?.properties?.get('metadata');
  return schema ? builtInAtom(schema) : deducedAtom;
}
