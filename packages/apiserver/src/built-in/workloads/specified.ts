import type { BuiltInObject } from '../../json/built-in-object.ts';

/** A decoded object of a kind whose `spec` is there even when nobody sends it. */
export type Specified<K extends { spec?: unknown }> = BuiltInObject<K> & { spec: NonNullable<K['spec']> };
