import type { Kind, KubernetesObject } from 'ots-kubernetes';
import { copyOf } from '../objects/copy-of.ts';
import type { AdmissionContext } from './admission-context.ts';
import type { AdmissionRequest, AdmissionResponse } from './admission-review.ts';
import type { Defaulter } from './defaulter.ts';
import { jsonPatchDiff } from './json-patch-diff.ts';
import { objectOf } from './object-of.ts';
import { patchResponse } from './patch-response.ts';

/** Answers with the patch that the defaulter makes by changing the object. */
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
  // Through JSON, because what the draft holds as undefined is absent on the wire.
  return patchResponse(jsonPatchDiff(original, JSON.parse(JSON.stringify(draft))));
}
