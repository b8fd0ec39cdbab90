import { type ApiError, isInvalid } from './api-error.ts';

/**
 * True when the API server's own validation refused an object, because of its fields: their schema, the rules of a
 * built-in kind, or a CEL rule of its CRD. Admission webhooks and policies may respond 422, too; their message says so, and
 * the cause of a policy names no field.
 */
export function isOfValidation(error: unknown): error is ApiError {
  if (!isInvalid(error) || error.message.startsWith('admission webhook ')) return false;
  const { causes = [] } = error.details ?? {};
  return causes.length > 0 && causes.every(({ field }) => field !== undefined && field !== '');
}
