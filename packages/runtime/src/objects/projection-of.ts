import type { Kind, KubernetesObject } from 'ots-kubernetes';
import { UsageError } from '../errors/usage-error.ts';
import { isMetadataKind } from './metadata-of.ts';

/** The fields of a value that the paths select. Part of `Projected`. */
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
 * An object with only some fields: the type has no others to read by mistake. Its `apiVersion` and `kind` are `string`
 * to the compiler, so it does not pass for the whole object: an update with it would remove the omitted fields. Untyped
 * objects keep their type.
 */
export type Projected<T extends KubernetesObject, Path extends string> = string extends keyof T
  ? T
  : KubernetesObject & Pick<T, 'metadata'> & PickedFields<Omit<T, keyof KubernetesObject>, Path>;

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
 * or a map such as `data`, is one field. Any string for an untyped object.
 */
export type FieldPath<T extends KubernetesObject> = string extends keyof T
  ? string
  : FieldPathsIn<Omit<T, keyof KubernetesObject>, 4>;

/** A kind whose objects are read with only some fields, which is less to keep. */
export interface ProjectedKind<T extends KubernetesObject = KubernetesObject> extends Kind<T> {
  /** The paths of these fields, in alphabetical order; metadata is always included. Distinguishes it from the whole kind. */
  readonly fields: readonly string[];
}

const path = /^[^.]+(\.[^.]+)*$/;
const always = /^(apiVersion|kind|metadata)(\.|$)/;

/**
 * Reduces the kind to its metadata and these fields: `projectionOf(Pod, ['spec.nodeName', 'status.phase'])`. A path
 * selects a field with everything in it; it cannot point into lists. Objects of the projection can be read, watched,
 * patched and deleted, but not created, updated or applied.
 *
 * Omitted fields are still transferred, and dropped before anything else sees them. The cache keeps projections with
 * the same fields once; other fields, or the whole kind, are separate caches.
 * @throws {UsageError} if the list is empty, or a path is invalid or selects a field that is always kept.
 */
export function projectionOf<T extends KubernetesObject, Path extends FieldPath<T>>(
  kind: Kind<T>,
  fields: readonly Path[],
): ProjectedKind<Projected<T, Path>> {
  if (fields.length === 0) {
    throw new UsageError(`A projection of ${kind.kind} needs fields`, 'For metadata alone, use metadataOf.');
  }
  const wrong = fields.find((field) => !path.test(field) || always.test(field));
  if (wrong !== undefined) {
    throw new UsageError(
      `${JSON.stringify(wrong)} cannot be a field of a projection of ${kind.kind}`,
      "Name fields as in 'spec.replicas'; apiVersion, kind and metadata are always there.",
    );
  }
  const { apiVersion, group, version, kind: name, plural, scope } = kind;
  return Object.freeze({ apiVersion, group, version, kind: name, plural, scope, fields: normalized(fields) });
}

/** Sorted, without duplicates and without fields inside others: equal projections have equal lists. */
function normalized(fields: readonly string[]): readonly string[] {
  const isCovered = (field: string): boolean => fields.some((other) => field.startsWith(`${other}.`));
  return Object.freeze([...new Set(fields)].filter((field) => !isCovered(field)).toSorted());
}

/** Returns true for a kind from `projectionOf`. */
export function isProjectedKind(kind: Kind): kind is ProjectedKind {
  return (kind as Partial<ProjectedKind>).fields !== undefined;
}

/** Describes which part of the objects is read: `metadata`, or the paths of the fields; undefined for whole objects. */
export function projectionText(kind: Kind): string | undefined {
  if (isMetadataKind(kind)) return 'metadata';
  return isProjectedKind(kind) ? kind.fields.join(',') : undefined;
}
