import type { Schema } from '../schema/schema.ts';

/** The part of a CustomResourceDefinition that users of its API depend on. */
export interface ComparedCrd {
  readonly spec: {
    readonly group: string;
    readonly names: { readonly kind: string; readonly plural: string; readonly listKind?: string };
    readonly scope: string;
    readonly versions: readonly ComparedVersion[];
    readonly conversion?: object;
    readonly preserveUnknownFields?: boolean;
  };
}

export interface ComparedVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly schema: { readonly openAPIV3Schema: Schema };
  readonly subresources?: { readonly status?: object; readonly scale?: object };
  readonly selectableFields?: readonly { readonly jsonPath: string }[];
}
