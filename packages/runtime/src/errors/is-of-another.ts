import { type ApiError, isInvalid } from './api-error.ts';

/** True when the server refused a write because the object with this name has another uid than the write names. */
export function isOfAnother(error: unknown): error is ApiError {
  return isInvalid(error) && (error.details?.causes ?? []).some(({ field }) => field === 'metadata.uid');
}
