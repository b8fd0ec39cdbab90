import { isObject } from '../objects/json-object.ts';
import { badRequest } from '../status/errors.ts';

/** Where the next page of a list starts, and which moment it shows. */
export interface ContinueToken {
  /** -1 for whatever is there by then. */
  revision: number;
  /** The smallest key that the next page may hold. */
  start: string;
}

/** The text that clients send back as `continue`. */
export function encodeContinue({ revision, start }: ContinueToken): string {
  return Buffer.from(JSON.stringify({ v: 'meta.k8s.io/v1', rv: revision, start })).toString('base64url');
}

/** @throws {StatusError} 400 for a text that is no token */
export function decodeContinue(text: string): ContinueToken {
  let token: unknown;
  try {
    token = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  } catch {
    throw badRequest('invalid continue token: continue key is not valid: it is no JSON');
  }
  if (isObject(token) && token['v'] === 'meta.k8s.io/v1') {
    const { rv, start } = token;
    if (
      typeof rv === 'number' &&
      Number.isSafeInteger(rv) &&
      (rv > 0 || rv === -1) &&
      typeof start === 'string' &&
      start !== ''
    ) {
      return { revision: rv, start };
    }
  }
  throw badRequest(
    'invalid continue token: continue key is not valid: it lacks a version, a revision or a start',
  );
}
