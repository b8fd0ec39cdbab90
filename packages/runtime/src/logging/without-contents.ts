import { RuntimeError } from '../errors/runtime-error.ts';
import { isSecretName, masked } from './mask-credentials.ts';

/** What is deeper in a field of a log line is left out, */
const deepest = 6;
/** and what comes after so many values: a socket or a cache that is logged by mistake would take seconds. */
const maxValues = 1000;
const leftOut = '[…]';

/** How many values a line may have yet. */
interface Budget {
  values: number;
}

/**
 * The fields of a log line without what must not be in one: Kubernetes objects, which may be Secrets, become
 * references to them at any depth; fields that are named like credentials are masked; errors become plain objects
 * with code, hint and causes, which are treated likewise. Errors that say all in their message have no stack.
 */
export function withoutContents(fields: object): Record<string, unknown> {
  const budget = { values: maxValues };
  if (fields instanceof Error) return { err: shortenError(fields, 0, budget) };
  return isKubernetesObject(fields) ? reference(fields) : shortenEntries(fields, 0, budget);
}

/** The same of one value, such as an argument of a format. */
export function valueWithoutContents(value: unknown): unknown {
  return shorten(value, 0, { values: maxValues });
}

function shorten(value: unknown, depth: number, budget: Budget, explained = false): unknown {
  if (typeof value !== 'object' || value === null) return typeof value === 'function' ? undefined : value;
  budget.values -= 1;
  if (depth >= deepest || budget.values < 0) return leftOut;
  if (Array.isArray(value)) {
    return value.slice(0, maxValues).map((item) => shorten(item, depth + 1, budget));
  }
  if (value instanceof Error) return shortenError(value, depth, budget, explained);
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (isKubernetesObject(value)) return reference(value);
  if ('toJSON' in value && typeof value.toJSON === 'function') {
    return shorten((value.toJSON as () => unknown)(), depth + 1, budget);
  }
  return shortenEntries(value, depth, budget);
}

function shortenEntries(object: object, depth: number, budget: Budget): Record<string, unknown> {
  const entries: Record<string, unknown> = {};
  for (const name of Object.keys(object)) {
    if (budget.values < 0) break;
    entries[name] = shortenField(object, name, depth, budget);
  }
  return entries;
}

function shortenField(object: object, name: string, depth: number, budget: Budget): unknown {
  let value: unknown;
  try {
    value = (object as Record<string, unknown>)[name];
    if (isSecretName(name)) return mask(value);
    return shorten(value, depth + 1, budget);
  } catch {
    // A getter or a toJSON of the caller's: logging must not fail the work that it is about.
    return '[unreadable]';
  }
}

/** Names of objects stay, and numbers: `secret: { namespace, name }` and `token: 3` tell nothing. */
function mask(value: unknown): unknown {
  if (typeof value === 'object' && value !== null) {
    if (isKubernetesObject(value)) return reference(value);
    return Object.keys(value).every((name) => referenceFields.has(name)) ? { ...value } : masked;
  }
  return typeof value === 'string' ? masked : value;
}

const referenceFields = new Set(['apiVersion', 'kind', 'namespace', 'name', 'uid']);

/** @param explained whether an error around it says all: then no stack is of interest. */
function shortenError(
  error: Error,
  depth: number,
  budget: Budget,
  explained = false,
): Record<string, unknown> {
  const { name, message, cause } = error;
  const stacks = explained ? 'none' : error instanceof RuntimeError ? error.loggedStacks : 'own';
  const fields = shortenEntries(error, depth, budget);
  return {
    type: name,
    message,
    ...fields,
    ...(cause !== undefined && { cause: shorten(cause, depth + 1, budget, stacks === 'none') }),
    // Not read for nothing: it is made when it is first read, with source maps at some cost.
    ...(stacks === 'own' && { stack: error.stack }),
  };
}

interface LoggedObject {
  kind?: string;
  metadata: { name?: unknown; namespace?: unknown };
}

function reference({ kind, metadata: { name, namespace } }: LoggedObject): Record<string, unknown> {
  return { kind, namespace, name };
}

/** Also what has lost its kind, as the items of a list have, or has no name yet. */
function isKubernetesObject(value: object): value is LoggedObject {
  if (!('metadata' in value) || typeof value.metadata !== 'object' || value.metadata === null) return false;
  const { metadata } = value;
  return (
    ('kind' in value && typeof value.kind === 'string') || 'name' in metadata || 'generateName' in metadata
  );
}
