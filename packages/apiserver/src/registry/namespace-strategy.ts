import type { ApiObject } from '../objects/api-object.ts';
import { isObject } from '../objects/json-object.ts';
import { dnsLabel } from './name-rules.ts';
import { Strategy } from './strategy.ts';

/** Namespaces carry a label with their name, and a finalizer in `spec` until their content is gone. */
export class NamespaceStrategy extends Strategy {
  constructor() {
    super({ hasStatus: true, nameRule: dnsLabel, answersDeletedObject: true });
  }

  override prepareForCreate(object: ApiObject): void {
    super.prepareForCreate(object);
    label(object);
    object['spec'] = { finalizers: ['kubernetes'] };
    object['status'] = { phase: 'Active' };
  }

  override prepareForUpdate(object: ApiObject, old: ApiObject): void {
    super.prepareForUpdate(object, old);
    label(object);
    object['spec'] = old['spec'];
  }

  override terminating(object: ApiObject): ApiObject {
    const { deletionGracePeriodSeconds: _, ...metadata } = object.metadata;
    return { ...object, metadata, status: { phase: 'Terminating' } };
  }

  override isHeldBack(object: ApiObject): boolean {
    const { spec } = object;
    return isObject(spec) && Array.isArray(spec['finalizers']) && spec['finalizers'].length > 0;
  }
}

function label({ metadata }: ApiObject): void {
  if (metadata.name) metadata.labels = { ...metadata.labels, 'kubernetes.io/metadata.name': metadata.name };
}
