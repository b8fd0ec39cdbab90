import type { Kind } from 'ots-kubernetes';
import { isMetadataKind } from '../objects/metadata-of.ts';

// There is no plain JSON to fall back to on purpose: a server that cannot leave the contents out is to refuse.
// https://kubernetes.io/docs/reference/using-api/api-concepts/#metadata-only-fetches
const metadata = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1';
const metadataList = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1';

/** The `Accept` header for one object of the kind, and for the events of a watch; undefined for plain JSON. */
export function acceptObject(kind: Kind): string | undefined {
  return isMetadataKind(kind) ? metadata : undefined;
}

/** The `Accept` header for a list of the kind; undefined for plain JSON. */
export function acceptList(kind: Kind): string | undefined {
  return isMetadataKind(kind) ? metadataList : undefined;
}
