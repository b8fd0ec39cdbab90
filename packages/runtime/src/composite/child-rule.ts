import type { Kind, KubernetesObject } from 'ots-kubernetes';

/**
 * What to do with a child that differs from what is desired:
 * - `InPlace` changes it, by server-side apply;
 * - `Recreate` deletes it, and makes it anew when it is gone: for kinds whose specs cannot change, such as Jobs;
 * - `OnDelete` leaves it until somebody deletes it.
 */
export type UpdateStrategy = 'InPlace' | 'Recreate' | 'OnDelete';

/** A kind of children, and how they are changed. */
export interface ChildRule<T extends KubernetesObject = KubernetesObject> {
  /** Of the children. */
  readonly kind: Kind<T>;
  /** `'InPlace'` by default. */
  readonly updateStrategy?: UpdateStrategy | undefined;
}
