import type { ApiObject } from '../objects/api-object.ts';
import { jsonEqual } from '../objects/json-equal.ts';
import { decodeFields } from '../objects/decode-fields.ts';
import { type JsonObject, isObject } from '../objects/json-object.ts';
import type { CustomResourceDefinitionNames } from 'ots-kubernetes/apiextensions/v1';
import type { DeleteOptions } from '../registry/delete-options.ts';
import { Strategy } from '../registry/strategy.ts';
import type { FieldError } from '../status/field-error.ts';
import { asCrd, storageVersion } from './crd-types.ts';
import { crdSpec } from './crd-shape.ts';
import { validateCrd, validateCrdUpdate } from './validate-crd.ts';

/** Holds a definition until none of its objects is left. */
export const cleanupFinalizer = 'customresourcecleanup.apiextensions.k8s.io';

const deletionPending = {
  type: 'Terminating',
  status: 'True',
  reason: 'InstanceDeletionPending',
  message: 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon',
};

/** Definitions of custom resources: names are filled in, schemas are checked, `status` is the server's. */
export class CrdStrategy extends Strategy {
  override readonly terminatesInSteps = true;

  constructor() {
    super({ hasStatus: true, allowsUnconditionalUpdate: false, countsGenerations: true });
  }

  override decode(object: ApiObject, unknown: string[]): ApiObject {
    const sent = isObject(object['spec']) ? object['spec'] : {};
    const position = { path: 'spec', goField: '', unknown };
    const spec = {
      group: '',
      names: {},
      scope: '',
      versions: [],
      ...decodeFields(sent, crdSpec, position, 'spec.'),
    };
    return { ...object, spec: withDefaults(spec) };
  }

  override prepareForCreate(object: ApiObject): void {
    super.prepareForCreate(object);
    const stored = storageVersion(asCrd(object))?.name;
    object['status'] = {
      conditions: null,
      acceptedNames: { plural: '', kind: '' },
      storedVersions: stored === undefined ? null : [stored],
    };
  }

  override prepareForUpdate(object: ApiObject, old: ApiObject): void {
    super.prepareForUpdate(object, old);
    const { status } = asCrd(old);
    const stored = storageVersion(asCrd(object))?.name;
    if (!status || stored === undefined || status.storedVersions?.includes(stored)) return;
    object['status'] = { ...status, storedVersions: [...(status.storedVersions ?? []), stored] };
  }

  override terminating(object: ApiObject, _options: DeleteOptions, now: string): ApiObject {
    const { finalizers = [], ...metadata } = object.metadata;
    const { status } = asCrd(object);
    const conditions = (status?.conditions ?? []).filter(({ type }) => type !== 'Terminating');
    return {
      ...object,
      metadata: {
        ...metadata,
        finalizers: finalizers.includes(cleanupFinalizer) ? finalizers : [...finalizers, cleanupFinalizer],
        deletionTimestamp: now,
      },
      status: { ...status, conditions: [...conditions, { ...deletionPending, lastTransitionTime: now }] },
    };
  }

  override validate(object: ApiObject): FieldError[] {
    return validateCrd(asCrd(object));
  }

  override validateUpdate(object: ApiObject, old: ApiObject): FieldError[] {
    // What was accepted once stays acceptable, so that a status can always be written.
    return jsonEqual(object['spec'], old['spec']) ? [] : validateCrdUpdate(asCrd(object), asCrd(old));
  }
}

function withDefaults(spec: JsonObject): JsonObject {
  const names = {
    plural: '',
    kind: '',
    ...(isObject(spec['names']) ? spec['names'] : {}),
  } as CustomResourceDefinitionNames;
  if (names.kind !== '') {
    names.singular ??= names.kind.toLowerCase();
    names.listKind ??= `${names.kind}List`;
  }
  return { ...spec, names, conversion: spec['conversion'] ?? { strategy: 'None' } };
}
