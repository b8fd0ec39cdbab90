import type { Schema } from '../schema/schema.ts';
import type { Scale } from './scale.ts';

/** The part of apiextensions.k8s.io/v1 CustomResourceDefinition that ots generates. */
export interface CustomResourceDefinition {
  readonly apiVersion: 'apiextensions.k8s.io/v1';
  readonly kind: 'CustomResourceDefinition';
  readonly metadata: {
    readonly name: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec: {
    readonly group: string;
    readonly names: {
      readonly kind: string;
      readonly listKind: string;
      readonly plural: string;
      readonly singular: string;
      readonly shortNames?: readonly string[];
      readonly categories?: readonly string[];
    };
    readonly scope: 'Namespaced' | 'Cluster';
    readonly versions: readonly CustomResourceDefinitionVersion[];
    readonly conversion?: object;
  };
}

export interface CustomResourceDefinitionVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly deprecated?: true;
  readonly deprecationWarning?: string;
  readonly schema: { readonly openAPIV3Schema: Schema };
  readonly subresources?: { readonly status?: Record<string, never>; readonly scale?: Scale };
  readonly selectableFields?: readonly { readonly jsonPath: string }[];
  readonly additionalPrinterColumns?: readonly object[];
}

/** The folder of a project's CRDs, by kubebuilder's convention. */
export const crdDir = 'config/crd/bases';
