import type {
  CustomResourceDefinition,
  CustomResourceDefinitionVersion,
} from 'ots-kubernetes/apiextensions/v1';
import type { ApiObject } from '../objects/api-object.ts';

/** A definition that passed validation: what the kind requires is there. */
export type Crd = CustomResourceDefinition & ApiObject;

/** A stored definition as its type. */
export function asCrd(object: ApiObject): Crd {
  return object as Crd;
}

/** The version in which objects are stored. */
export function storageVersion(crd: Crd): CustomResourceDefinitionVersion | undefined {
  return crd.spec.versions.find(({ storage }) => storage);
}
