import type { Kind, KubernetesObject } from 'ots-kubernetes';
import { copyOf } from '../objects/copy-of.ts';
import type { AdmissionContext } from './admission-context.ts';
import { type AdmissionRequest, type AdmissionResponse, patchResponse } from './admission-review.ts';
import { jsonPatchDiff } from './json-patch-diff.ts';
import { objectOf } from './object-of.ts';

/** Fills in what the author of an object left out. Not called for deletions. */
export interface Defaulter<T extends KubernetesObject> {
  /** Modifies the object; the difference is returned as a patch. Throwing refuses the object. */
  default(object: T, context: AdmissionContext): Promise<void> | void;
}

/** Responds with the patch for the changes that the defaulter made to the object. */
export async function applyDefaults<T extends KubernetesObject>(
  kind: Kind<T>,
  defaulter: Defaulter<T>,
  request: AdmissionRequest,
  context: AdmissionContext,
): Promise<AdmissionResponse> {
  if (request.operation !== 'CREATE' && request.operation !== 'UPDATE') return { allowed: true };
  const original = objectOf(request, 'object', kind);
  const draft = copyOf(original);
  await defaulter.default(draft, context);
  // Through JSON, because undefined fields of the draft are absent on the wire.
  return patchResponse(jsonPatchDiff(original, JSON.parse(JSON.stringify(draft))));
}
