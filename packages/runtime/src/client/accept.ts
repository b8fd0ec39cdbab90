import type { Kind } from 'ots-kubernetes';
import { isMetadataKind } from '../objects/metadata-of.ts';

// There is no plain JSON to fall back to on purpose: a server that cannot leave the contents out is to refuse.
// https://kubernetes.io/docs/reference/using-api/api-concepts/#metadata-only-fetches
const metadata = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1';
const metadataList = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1';

/** Subresources that are of a kind of their own: of a Scale, the metadata would say nothing. */
const withOwnKind: ReadonlySet<string | undefined> = new Set(['binding', 'eviction', 'scale', 'token']);

/**
 * The `Accept` header for one object of the kind or a subresource of it, and for the events of a watch; undefined for
 * plain JSON.
 */
export function acceptObject(kind: Kind, subresource?: string): string | undefined {
  return isMetadataKind(kind) && !withOwnKind.has(subresource) ? metadata : undefined;
}

/** The `Accept` header for a list of the kind; undefined for plain JSON. */
export function acceptList(kind: Kind): string | undefined {
  return isMetadataKind(kind) ? metadataList : undefined;
}

/**
 * For the deletion of a collection, which is answered with the list of what is deleted: nobody reads it, and the
 * metadata are less. Asked for one object of metadata, servers delete all and then refuse.
 */
export const acceptDeleted = `${metadataList},application/json`;
