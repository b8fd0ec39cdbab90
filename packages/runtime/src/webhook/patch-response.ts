import type { JsonPatchOperation } from '../objects/patches.ts';
import type { AdmissionResponse } from './admission-review.ts';

/** Accepts a request and changes its object. */
export function patchResponse(patch: readonly JsonPatchOperation[]): AdmissionResponse {
  if (patch.length === 0) return { allowed: true };
  return {
    allowed: true,
    patchType: 'JSONPatch',
    patch: Buffer.from(JSON.stringify(patch)).toString('base64'),
  };
}
