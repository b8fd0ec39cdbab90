import type { Manifest } from '../client/read-manifests.ts';

/** An object on its way through kustomizations, which change it. */
export interface BuiltObject extends Manifest {
  /** What its file names it: references use this name. */
  readonly original: { readonly name: string; readonly namespace: string | undefined };
}
