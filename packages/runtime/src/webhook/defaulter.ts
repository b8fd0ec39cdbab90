import type { KubernetesObject } from 'ots-kubernetes';
import type { AdmissionContext } from './admission-context.ts';

/** Fills in what the author of an object left out. Not called for deletions. */
export interface Defaulter<T extends KubernetesObject> {
  /** Changes the object that it is given; the difference is sent back as a patch. What it throws refuses the object. */
  default(object: T, context: AdmissionContext): Promise<void> | void;
}
