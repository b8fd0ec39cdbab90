import type { KubernetesObject, ObjectMeta } from 'ots-kubernetes';
import type { DeepReadonly } from '../objects/deep-readonly.ts';

/**
 * The body of requests about a kind: the object, which most subresources such as `status` also use, or a separate
 * `Body`, such as the Scale of `scale`.
 */
export type Content<T extends KubernetesObject, Body extends KubernetesObject> = [Body] extends [never]
  ? T
  : Body;

/** An object to write: created by the program, or read from the server or a cache. */
export type Writable<T> = T | DeepReadonly<T>;

/** `T` with everything in it optional and read-only, down to the items of lists. */
export type DeepPartial<T> = T extends readonly (infer Item)[]
  ? readonly DeepPartial<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]?: DeepPartial<T[Key]> | undefined }
    : T;

/**
 * The configuration of a server-side apply: only the fields that its owner manages. Fields that the previous
 * configuration had and this one does not are removed, unless another manager also owns them.
 */
export type ApplyConfiguration<T extends KubernetesObject> = DeepPartial<
  Omit<T, 'apiVersion' | 'kind' | 'metadata'>
> & {
  /** Those of the kind by default. */
  readonly apiVersion?: T['apiVersion'];
  readonly kind?: T['kind'];
  readonly metadata: DeepPartial<ObjectMeta> & { readonly name: string };
};
