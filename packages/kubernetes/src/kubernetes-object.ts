import type { ObjectMeta } from './object-meta.ts';

/** The fields of every Kubernetes object. The interfaces of kinds extend it with a literal `apiVersion` and `kind`. */
export interface KubernetesObject {
  apiVersion: string;
  kind: string;
  metadata: ObjectMeta;
}
