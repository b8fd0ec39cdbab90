import type { Kind } from 'ots-kubernetes';
import { isMetadataKind } from './metadata-of.ts';
import { isProjectedKind } from './projection-of.ts';

/** What is known of the objects of a kind: `metadata`, or the paths of the fields; undefined for whole objects. */
export function projectionText(kind: Kind): string | undefined {
  if (isMetadataKind(kind)) return 'metadata';
  return isProjectedKind(kind) ? kind.fields.join(',') : undefined;
}
