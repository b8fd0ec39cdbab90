import type { Kind } from 'ots-kubernetes';
import { isMetadataKind } from '../objects/metadata-of.ts';

interface Named {
  apiVersion: string;
  kind: string;
}

/**
 * Says in an object that has just been read of which kind it is: the server leaves that out of the items of lists.
 * Changes the object and returns it.
 */
export function asKind<T extends Named>({ apiVersion, kind }: Kind, object: T): T {
  object.apiVersion = apiVersion;
  object.kind = kind;
  return object;
}

/** Says in an answer that is the metadata of an object of which kind that is; the server calls it by another. */
export function metadataAsKind<T extends Named>(kind: Kind, answer: T): T {
  return isMetadataKind(kind) && answer.kind === 'PartialObjectMetadata' ? asKind(kind, answer) : answer;
}
