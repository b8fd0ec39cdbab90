import type {
  CustomResourceDefinition,
  CustomResourceDefinitionVersion,
} from 'ots-kubernetes/apiextensions/v1';
import type { ApiObject } from '../json/api-object.ts';

/** A definition as its strategy decodes it. Before validation, names may be empty and versions missing. */
export type Crd = CustomResourceDefinition & ApiObject;

/** Casts an object to a definition. */
export function asCrd(object: ApiObject): Crd {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- CrdStrategy.decode has checked every field
  return object as Crd;
}

/** The version in which objects are stored. */
export function storageVersion({ spec }: Crd): CustomResourceDefinitionVersion | undefined {
  return spec.versions.find(({ storage }) => storage);
}
