import type { Kind, KubernetesObject } from 'ots-kubernetes';

/** An object with only its metadata: the type has no `spec` to read by mistake. */
export type MetadataObject = KubernetesObject;

/** A kind whose objects are read with only their metadata, which is less to transfer, parse and keep. */
export interface MetadataKind extends Kind {
  /** Distinguishes it from the whole kind. */
  readonly metadataOnly: true;
}

/**
 * Reduces the kind to metadata: `client.list(metadataOf(Secret))` never transfers the contents of a Secret. Its objects
 * can be read, watched, patched and deleted, but not created or updated.
 */
export function metadataOf(kind: Kind): MetadataKind {
  const { apiVersion, group, version, kind: name, plural, scope } = kind;
  return Object.freeze({ apiVersion, group, version, kind: name, plural, scope, metadataOnly: true });
}

/** Returns true for a kind from `metadataOf`. */
export function isMetadataKind(kind: Kind): kind is MetadataKind {
  return (kind as Partial<MetadataKind>).metadataOnly === true;
}
