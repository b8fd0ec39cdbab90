import type { ApiObject } from './api-object.ts';

/**
 * A decoded object of a built-in kind: every present field has the type in its schema, and unknown fields are
 * gone. `K` is the kind's type in ots-kubernetes.
 */
export type BuiltInObject<K> = ApiObject & K;
