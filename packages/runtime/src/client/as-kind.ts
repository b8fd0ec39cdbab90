import type { Kind } from 'ots-kubernetes';
import { isMetadataKind } from '../objects/metadata-of.ts';

interface Named {
  apiVersion: string;
  kind: string;
}

/**
 * Sets the kind of an object that was just read: the server omits it from list items. Modifies the object and returns
 * it.
 */
export function asKind<T extends Named>({ apiVersion, kind }: Kind, object: T): T {
  object.apiVersion = apiVersion;
  object.kind = kind;
  return object;
}

/** Sets the kind of a metadata response, in which the server names its own projection. */
export function metadataAsKind<T extends Named>(kind: Kind, response: T): T {
  return isMetadataKind(kind) && response.kind === 'PartialObjectMetadata'
    ? asKind(kind, response)
    : response;
}
