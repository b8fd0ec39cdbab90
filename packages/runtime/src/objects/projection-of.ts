import type { Kind, KubernetesObject } from 'ots-kubernetes';
import { UsageError } from '../errors/usage-error.ts';
import type { FieldPath } from './field-path.ts';
import type { Projected } from './projected.ts';

/** A kind of which only some fields of objects are read: less to keep. */
export interface ProjectedKind<T extends KubernetesObject = KubernetesObject> extends Kind<T> {
  /** The paths of these fields, in alphabetical order; metadata is always there. Tells it from the kind as a whole. */
  readonly fields: readonly string[];
}

const path = /^[^.]+(\.[^.]+)*$/;
const always = /^(apiVersion|kind|metadata)(\.|$)/;

/**
 * The kind, reduced to its metadata and these fields: `projectionOf(Pod, ['spec.nodeName', 'status.phase'])`. A path
 * names a field with all that is in it; it does not lead into lists. Objects of it can be read, watched, patched and
 * deleted, not created, updated or applied.
 *
 * What is left out is still transferred, and dropped before anything else sees it. Where one kind with the same fields
 * is used in several places the cache keeps it once; other fields, or the kind as a whole, are other caches.
 * @throws {UsageError} when there are no fields, or a path is none or one of what is always kept.
 */
export function projectionOf<T extends KubernetesObject, Path extends FieldPath<T>>(
  kind: Kind<T>,
  fields: readonly Path[],
): ProjectedKind<Projected<T, Path>> {
  if (fields.length === 0) {
    throw new UsageError(`a projection of ${kind.kind} needs fields`, 'For metadata alone, use metadataOf.');
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

/** Sorted, each once, and without those that are in another one: what is equal is to look equal. */
function normalized(fields: readonly string[]): readonly string[] {
  const isCovered = (field: string): boolean => fields.some((other) => field.startsWith(`${other}.`));
  return Object.freeze([...new Set(fields)].filter((field) => !isCovered(field)).toSorted());
}

/** True for what `projectionOf` returned. */
export function isProjectedKind(kind: Kind): kind is ProjectedKind {
  return (kind as Partial<ProjectedKind>).fields !== undefined;
}
