import type { KubernetesObject } from 'ots-kubernetes';

/** What the paths name of a value, down to the fields in it. Part of `Projected`. */
export type PickedFields<T, Path extends string> = T extends object
  ? {
      [
        Name in keyof T as Name extends (Path extends `${infer First}.${string}` ? First : Path)
          ? Name
          : never
      ]: Name extends Path
        ? T[Name]
        : PickedFields<T[Name], Path extends `${Name & string}.${infer Rest}` ? Rest : never>;
    }
  : T;

/**
 * An object of which only some fields were kept: there is no other to read by mistake. Its `apiVersion` and `kind` are
 * any text to the compiler, so that it is not taken for the whole object: an update with it would remove what was left
 * out. Objects whose fields no type speaks of stay as they are to the compiler.
 */
export type Projected<T extends KubernetesObject, Path extends string> = string extends keyof T
  ? T
  : KubernetesObject & Pick<T, 'metadata'> & PickedFields<Omit<T, keyof KubernetesObject>, Path>;
