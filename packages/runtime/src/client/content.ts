import type { KubernetesObject, ObjectMeta } from 'ots-kubernetes';
import type { DeepReadonly } from '../objects/deep-readonly.ts';

/**
 * What requests about a kind carry: the object, and so it is with most subresources, such as `status`; or a `Body` of
 * its own, such as the Scale of `scale`.
 */
export type Content<T extends KubernetesObject, Body extends KubernetesObject> = [Body] extends [never]
  ? T
  : Body;

/** Something to write: made here, or read from the server or a cache. */
export type Writable<T> = T | DeepReadonly<T>;

/** `T` with everything in it optional and read-only, down to the items of lists. */
export type DeepPartial<T> = T extends readonly (infer Item)[]
  ? readonly DeepPartial<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]?: DeepPartial<T[Key]> | undefined }
    : T;

/**
 * What a server-side apply wants of an object: only the fields that its owner cares for. Fields that were in the
 * configuration before and are not any more are removed, unless somebody else owns them too.
 */
export type ApplyConfiguration<T extends KubernetesObject> = DeepPartial<
  Omit<T, 'apiVersion' | 'kind' | 'metadata'>
> & {
  /** Those of the kind when absent. */
  readonly apiVersion?: T['apiVersion'];
  readonly kind?: T['kind'];
  readonly metadata: DeepPartial<ObjectMeta> & { readonly name: string };
};
