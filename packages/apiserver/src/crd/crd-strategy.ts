import type { ApiObject } from '../objects/api-object.ts';
import { jsonEqual } from '../objects/json-equal.ts';
import { isObject } from '../objects/json-object.ts';
import { Strategy } from '../registry/strategy.ts';
import type { FieldError } from '../status/field-error.ts';
import { asCrd } from './crd-types.ts';
import { validateCrd, validateCrdUpdate } from './validate-crd.ts';

/** Holds a definition until none of its objects is left. */
export const cleanupFinalizer = 'customresourcecleanup.apiextensions.k8s.io';

/** Definitions of custom resources: names are filled in, schemas are checked, `status` is the server's. */
export class CrdStrategy extends Strategy {
  constructor() {
    super({ hasStatus: true, allowsUnconditionalUpdate: false, countsGenerations: true });
  }

  override decode(object: ApiObject): ApiObject {
    const { spec } = object;
    if (!isObject(spec)) return object;
    const { names } = spec;
    if (isObject(names) && typeof names['kind'] === 'string' && names['kind'] !== '') {
      names['singular'] ??= names['kind'].toLowerCase();
      names['listKind'] ??= `${names['kind']}List`;
    }
    spec['conversion'] ??= { strategy: 'None' };
    return object;
  }

  override prepareForCreate(object: ApiObject): void {
    super.prepareForCreate(object);
    const stored = storedVersionOf(object);
    object['status'] = {
      conditions: null,
      acceptedNames: { plural: '', kind: '' },
      storedVersions: stored === undefined ? null : [stored],
    };
  }

  override prepareForUpdate(object: ApiObject, old: ApiObject): void {
    super.prepareForUpdate(object, old);
    const { status } = asCrd(old);
    const stored = storedVersionOf(object);
    if (!status || stored === undefined || status.storedVersions?.includes(stored)) return;
    object['status'] = { ...status, storedVersions: [...(status.storedVersions ?? []), stored] };
  }

  override terminating(object: ApiObject): ApiObject {
    const { finalizers = [] } = object.metadata;
    return { ...object, metadata: { ...object.metadata, finalizers: [...finalizers, cleanupFinalizer] } };
  }

  override validate(object: ApiObject): FieldError[] {
    return validateCrd(object);
  }

  override validateUpdate(object: ApiObject, old: ApiObject): FieldError[] {
    // What was accepted once stays acceptable, so that a status can always be written.
    if (jsonEqual(object['spec'], old['spec'])) return [];
    const errors = this.validate(object);
    return errors.length > 0 ? errors : validateCrdUpdate(asCrd(object), asCrd(old));
  }
}

/** Looks before validation has made sure that there are versions at all. */
function storedVersionOf(object: ApiObject): string | undefined {
  const { spec } = object;
  const versions = isObject(spec) && Array.isArray(spec['versions']) ? (spec['versions'] as unknown[]) : [];
  const storage = versions.find((version) => isObject(version) && version['storage'] === true);
  return isObject(storage) && typeof storage['name'] === 'string' ? storage['name'] : undefined;
}
