import type { KubernetesObject } from 'ots-kubernetes';

/** An object of a kustomization, with its names as they are deployed. */
export interface DeployedObject {
  readonly object: KubernetesObject;
  /** The file that it comes from, project-relative, and the number of its document there, from 0; undefined if that is not known. */
  readonly source: { readonly file: string; readonly document: number } | undefined;
}
