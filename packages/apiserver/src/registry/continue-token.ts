import { posix } from 'node:path';
import { isObject } from '../json/json-object.ts';
import { badRequest } from '../status/errors.ts';

/** Where the next page of a list starts, and which snapshot it shows. */
export interface ContinueToken {
  /** -1 for the latest state. */
  revision: number;
  /** The smallest key of the next page, without the prefix common to all keys of the list. */
  start: string;
}

/** Encodes a token as the text that clients send back as `continue`. */
export function encodeContinue({ revision, start }: ContinueToken): string {
  return Buffer.from(JSON.stringify({ v: 'meta.k8s.io/v1', rv: revision, start: `/${start}` })).toString(
    'base64url',
  );
}

/** @throws {StatusError} 400 for a text that is not a token */
export function decodeContinue(text: string): ContinueToken {
  const token = parse(decodeBase64(text));
  if (token !== null && !isObject(token)) {
    throw invalidToken(
      `: json: cannot unmarshal ${goKind(token)} into Go value of type storage.continueToken`,
    );
  }
  const version = fieldOf(token, 'v', 'string') ?? '';
  const revision = fieldOf(token, 'rv', 'int64') ?? 0;
  const start = `${fieldOf(token, 'start', 'string') ?? ''}`;
  if (version !== 'meta.k8s.io/v1') {
    throw invalidToken(`: server does not recognize this encoded version ${version}`);
  }
  if (revision === 0) {
    throw invalidToken(': incorrect encoded start resourceVersion (version meta.k8s.io/v1)');
  }
  if (start === '') throw invalidToken(': encoded start key empty (version meta.k8s.io/v1)');
  const path = start.startsWith('/') ? start : `/${start}`;
  // A path that leaves the keys of the list is an attack, and this server never issues a path in any but the plain
  // form.
  if (posix.normalize(path) !== path || (path !== '/' && path.endsWith('/')))
    throw invalidToken(`: ${start}`);
  return { revision: Math.max(Number(revision), -1), start: path.slice(1) };
}

function decodeBase64(text: string): string {
  const illegal = text.search(/[^A-Za-z0-9_-]/);
  if (illegal !== -1) throw invalidToken(`: illegal base64 data at input byte ${illegal}`);
  return Buffer.from(text, 'base64url').toString('utf8');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const first = text.trimStart()[0];
    const isValueStart = first === undefined || /[[{"\-0-9tfn]/.test(first);
    throw invalidToken(
      isValueStart
        ? ': unexpected end of JSON input'
        : `: invalid character '${first}' looking for beginning of value`,
    );
  }
}

/** A field of the token, checked for its type. */
function fieldOf(token: unknown, name: string, type: 'string' | 'int64'): string | number | undefined {
  const value = isObject(token) && Object.hasOwn(token, name) ? token[name] : undefined;
  if (value === undefined || value === null) return undefined;
  if (type === 'string' ? typeof value === 'string' : Number.isSafeInteger(value)) {
    return typeof value === 'string' ? value : Number(value);
  }
  const found = typeof value === 'number' && type === 'int64' ? `number ${value}` : goKind(value);
  throw invalidToken(
    `: json: cannot unmarshal ${found} into Go struct field continueToken.${name} of type ${type}`,
  );
}

/** The JSON type of a value as Go's decoder names it. */
function goKind(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}

function invalidToken(detail: string): Error {
  return badRequest(`invalid continue token: continue key is not valid${detail}`);
}
