import type { BuiltInObject } from '../../json/built-in-object.ts';

/** A decoded object of a kind that always has a `spec`. */
export type Specified<K extends { spec?: unknown }> = BuiltInObject<K> & { spec: NonNullable<K['spec']> };
