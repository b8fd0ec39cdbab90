import {
  type ApiError,
  ConnectionConfigError,
  NoKindMatchError,
  isApiError,
  isConnectionError,
  isForbidden,
} from 'ots-runtime';
import { OtsError } from '../errors/ots-error.ts';
import { oneLine } from '../output/one-line.ts';
import { type ObjectReference, objectName } from './object-name.ts';

/**
 * Explains the error of a request in terms of the command. Returns an unknown error unchanged.
 *
 * @param object what the request was about; none for requests about the cluster
 */
export function explainError(error: unknown, object?: ObjectReference): unknown {
  if (isApiError(error)) return explainRefusal(error, object);
  if (isConnectionError(error) || error instanceof ConnectionConfigError || error instanceof NoKindMatchError)
    return new OtsError(error.code, oneLine(error.message), { hint: oneLine(error.hint), cause: error });
  return error;
}

function explainRefusal(error: ApiError, object: ObjectReference | undefined): OtsError {
  const { causes = [] } = error.details ?? {};
  const conflicts = causes.filter(({ reason }) => reason === 'FieldManagerConflict');
  const prefix = object ? `${objectName(object)}: ` : '';
  if (conflicts.length > 0) {
    const fields = conflicts.map(({ field, message = '' }) => `${managerIn(message)} owns ${field}`);
    return new OtsError('FIELD_CONFLICT', `${prefix}${oneLine(fields.join(', '))}`, {
      hint: 'Remove the field from config/ to leave it to its owner, or take it over with --force-conflicts.',
      cause: error,
    });
  }
  return new OtsError(codeOf(error), `${prefix}${oneLine(error.message)}`, {
    hint: hintFor(error),
    cause: error,
  });
}

/** The message of the server is `conflict with "kubectl" using apps/v1`. */
function managerIn(message: string): string {
  return /conflict with ("[^"]*"(?: with subresource "[^"]*")?)/.exec(message)?.[1] ?? 'another manager';
}

function codeOf(error: ApiError): string {
  return error.reason === '' ? 'REFUSED' : error.reason.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase();
}

function hintFor(error: ApiError): string {
  if (error.message.includes('admission webhook "'))
    return 'Correct the object in config/, or the webhook of the cluster that denies it.';
  if (isForbidden(error) && / cannot (?:\w+) resource /.test(error.message))
    return 'Use a context whose user may do this (--context), or ask the administrator of the cluster for the right.';
  if (error.reason === 'Invalid' || error.reason === 'BadRequest')
    return 'Correct the fields that the message names in config/, and run the command again.';
  return oneLine(error.hint);
}
