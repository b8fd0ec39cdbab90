import type { KubernetesObject } from 'ots-kubernetes';

/**
 * The paths of the fields in a value, with so many levels of fields below: a bound for types that contain themselves,
 * such as schemas. Part of `FieldPath`.
 */
export type FieldPathsIn<T, Levels extends number> = T extends readonly unknown[]
  ? never
  : T extends object
    ? string extends keyof T
      ? never
      : {
          [Name in keyof T & string]-?: Name extends `${string}.${string}`
            ? never
            :
                | Name
                | (Levels extends 0
                    ? never
                    : `${Name}.${FieldPathsIn<NonNullable<T[Name]>, [never, 0, 1, 2, 3][Levels]>}`);
        }[keyof T & string]
    : never;

/**
 * The paths of an object's fields beside its metadata: `'spec.replicas' | 'status' | …`, of five names at most. A list,
 * or a map such as `data`, is one field. Any text for an object whose fields no type speaks of.
 */
export type FieldPath<T extends KubernetesObject> = string extends keyof T
  ? string
  : FieldPathsIn<Omit<T, keyof KubernetesObject>, 4>;
