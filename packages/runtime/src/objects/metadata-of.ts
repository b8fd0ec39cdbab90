import type { Kind, KubernetesObject } from 'ots-kubernetes';

/** An object with only its metadata: the type has no `spec` to read by mistake. */
export type MetadataObject = KubernetesObject;

/** A kind of which only the metadata of objects is read: less to transfer, to parse and to keep. */
export interface MetadataKind extends Kind {
  /** Tells it from the kind as a whole. */
  readonly metadataOnly: true;
}

/**
 * The kind, reduced to metadata: `client.list(metadataOf(Secret))` never transfers the contents of a Secret. Objects
 * of it can be read, watched, patched and deleted, not created or updated.
 */
export function metadataOf(kind: Kind): MetadataKind {
  const { apiVersion, group, version, kind: name, plural, scope } = kind;
  return Object.freeze({ apiVersion, group, version, kind: name, plural, scope, metadataOnly: true });
}

/** True for what `metadataOf` returned. */
export function isMetadataKind(kind: Kind): kind is MetadataKind {
  return (kind as Partial<MetadataKind>).metadataOnly === true;
}
