import type { Kind } from 'ots-kubernetes';
import { isMetadataKind } from '../objects/metadata-of.ts';

// Plain JSON is deliberately not accepted: a server that cannot omit the contents must refuse.
// https://kubernetes.io/docs/reference/using-api/api-concepts/#metadata-only-fetches
const metadata = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1';
const metadataList = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1';

/** Subresources with their own kind: the metadata of a Scale would say nothing. */
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
 * For the deletion of a collection. Its response lists the deleted objects, which nothing reads, so their metadata is
 * enough. If the request accepts the metadata of one object, servers delete everything and then refuse.
 */
export const acceptDeleted = `${metadataList},application/json`;
