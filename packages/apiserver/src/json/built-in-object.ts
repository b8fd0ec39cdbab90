import type { ApiObject } from './api-object.ts';

/**
 * An object of a built-in kind that was decoded: every field that is there has the type that its schema names, and fields
 * that its schema does not know are gone. `K` is the kind's type in ots-kubernetes.
 */
export type BuiltInObject<K> = ApiObject & K;
