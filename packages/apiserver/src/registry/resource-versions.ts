import { cloneJson } from '../json/clone-json.ts';
import { decodeTyped } from '../decoding/decode-typed.ts';
import { goTypeOfKind } from '../decoding/go-type-of-kind.ts';
import { StrictErrors } from '../decoding/strict-errors.ts';
import { objectSchema } from 'ots-kubernetes/object-schemas';
import type { ApiObject } from '../json/api-object.ts';
import type { JsonObject } from '../json/json-object.ts';
import { type Resource, apiVersionOf } from './resource.ts';
import type { ResourceRegistry } from './resource-registry.ts';
import { prune } from '../schema/prune.ts';
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

/** The served versions of a resource, for field ownership. */
export class ResourceVersions implements TypedVersions {
  readonly order: StepOrder;
  readonly #resource: Resource;
  readonly #subresource: string;
  readonly #registry: ResourceRegistry;

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

  convert(object: JsonObject, apiVersion: string): JsonObject {
    if (object['apiVersion'] === apiVersion) return object;
    const target = this.#find(apiVersion);
    if (target && !target.custom) return this.#convertBuiltIn(object, target);
    const converted = { ...cloneJson(object), apiVersion };
    const schema = target?.definition?.schema?.openAPIV3Schema;
    if (schema) prune(converted, schema, []);
    return converted;
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
