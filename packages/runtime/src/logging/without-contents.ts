import { RuntimeError } from '../errors/runtime-error.ts';
import { isSecretName, masked } from './mask-credentials.ts';

/** The maximum depth of a field in a log line, */
const deepest = 6;
/** and the maximum number of values: logging a socket or a cache by mistake would take seconds. */
const maxValues = 1000;
const leftOut = '[…]';

/** How many more values a line may have. */
interface Budget {
  values: number;
}

/**
 * Removes from the fields of a log line what must not be logged. Kubernetes objects, which may be Secrets, become
 * references at any depth. Fields that are named like credentials are masked. Errors become plain objects with code,
 * hint and causes, which are treated the same way. Errors whose message says everything have no stack.
 */
export function withoutContents(fields: object): Record<string, unknown> {
  const budget = { values: maxValues };
  if (fields instanceof Error) return { err: shortenError(fields, 0, budget) };
  return isKubernetesObject(fields) ? reference(fields) : shortenEntries(fields, 0, budget);
}

/** Does the same for one value, such as an argument of a format. */
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
    // The caller's getter or toJSON threw: logging must not fail the work that it reports.
    return '[unreadable]';
  }
}

/** Keeps names of objects and numbers: `secret: { namespace, name }` and `token: 3` reveal nothing. */
function mask(value: unknown): unknown {
  if (typeof value === 'object' && value !== null) {
    if (isKubernetesObject(value)) return reference(value);
    return Object.keys(value).every((name) => referenceFields.has(name)) ? { ...value } : masked;
  }
  return typeof value === 'string' ? masked : value;
}

const referenceFields = new Set(['apiVersion', 'kind', 'namespace', 'name', 'uid']);

/** @param explained whether the message of an outer error says everything: then the stack is omitted. */
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
    // Read only if needed: the first access creates the stack, which is expensive with source maps.
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

/** Also matches objects without a kind, such as the items of a list, or without a name. */
function isKubernetesObject(value: object): value is LoggedObject {
  if (!('metadata' in value) || typeof value.metadata !== 'object' || value.metadata === null) return false;
  const { metadata } = value;
  return (
    ('kind' in value && typeof value.kind === 'string') || 'name' in metadata || 'generateName' in metadata
  );
}
