import { CacheSyncError, NamespaceNotCachedError, ObjectNotCachedError } from '../cache/cache-errors.ts';
import { isApiError, isConflict, isNotFound } from '../errors/api-error.ts';
import { MultipleFailuresError } from '../errors/multiple-failures-error.ts';
import { FinalizerError } from '../finalizers/finalizer-error.ts';
import { type ObjectKey, keyText } from '../objects/object-key.ts';
import { isKnownOutage } from '../transport/reachability.ts';

const brand = Symbol.for('ots-runtime.TerminalError');

/** Throw it from a reconciler if a retry cannot help: only the next change of the object reconciles it again. */
export class TerminalError extends Error {
  /** Stable; to branch on. */
  readonly code = 'TERMINAL';
  /**
   * Known to other copies of this package by it.
   * @internal
   */
  readonly [brand] = true;

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'TerminalError';
  }
}

/** True for a `TerminalError` of any copy of this package. */
function isTerminal(error: unknown): error is TerminalError {
  return typeof error === 'object' && error !== null && (error as { [brand]?: unknown })[brand] === true;
}

/** Longer chains of causes are not searched: they may be circular. */
const maxChainLength = 10;

type Meaning = 'terminal' | 'gone' | 'conflict' | 'unsynced' | 'error';

/**
 * What the error of a reconcile means, also if it is the cause of another error: `terminal` is not retried. `conflict`
 * only says that an object was changed between read and write, and `gone` that it was deleted: the next reconcile reads
 * it again. `unsynced` says that the cache is still being filled, which reports problems of its own. Of several errors, the
 * one that most needs a retry counts.
 */
export function classifyError(error: unknown): Meaning {
  for (const link of causes(error)) {
    const parts = partsOf(link);
    if (parts.length > 0) return meaningOfAll(parts);
    if (isTerminal(link)) return 'terminal';
    if (isOvertaken(link)) return 'conflict';
    if (isGone(link)) return 'gone';
    if (link instanceof CacheSyncError) return 'unsynced';
  }
  return 'error';
}

function meaningOfAll(errors: readonly unknown[]): Meaning {
  const meanings = new Set(errors.map(classifyError));
  return (
    (['error', 'unsynced', 'conflict', 'gone'] as const).find((each) => meanings.has(each)) ?? 'terminal'
  );
}

/** The errors of work with several parts: the first is also the `cause`, but not the only error. */
function partsOf(error: unknown): readonly unknown[] {
  if (error instanceof FinalizerError) return [...error.errors.values()];
  return error instanceof MultipleFailuresError ? error.errors : [];
}

/** True if the error comes from a cache that is still being filled. */
export function isUnsynced(error: unknown): boolean {
  return causes(error).some((link) => link instanceof CacheSyncError);
}

/** True if the error comes from a read of this namespace, which the cache no longer has. */
export function isOfLeftNamespace(error: unknown, namespace: string | undefined): boolean {
  return causes(error).some(
    (link) => link instanceof NamespaceNotCachedError && link.isDynamic && link.namespace === namespace,
  );
}

/** True if the error comes from a read of this object, which another replica works on. */
export function isOfOtherReplica(error: unknown, key: ObjectKey): boolean {
  return causes(error).some(
    (link) => link instanceof ObjectNotCachedError && keyText(link.key) === keyText(key),
  );
}

/** True if the server is unreachable, which is logged once for everything that needs it. */
export function isOutage(error: unknown): boolean {
  return causes(error).some(isKnownOutage);
}

/** True if the error is the abort of the signal, or was caused by it. */
export function isAbortion(error: unknown, signal: AbortSignal): boolean {
  if (!signal.aborted) return false;
  const { reason } = signal as { reason: unknown };
  // Compared by name too: what detects the end of the work, such as a fence, may throw its own error.
  return causes(error).some(
    (link) => link === reason || hasName(link, 'AbortError') || isOfType(link, reason),
  );
}

function hasName(error: unknown, name: string): boolean {
  return error instanceof Error && error.name === name;
}

function isOfType(error: unknown, reason: unknown): boolean {
  return reason instanceof Error && reason.name !== 'Error' && hasName(error, reason.name);
}

/** Not a conflict about a field that another manager owns: no retry resolves that. */
function isOvertaken(error: unknown): boolean {
  return isConflict(error) && !error.details?.causes?.some(({ reason }) => reason === 'FieldManagerConflict');
}

/**
 * The object of a write no longer exists. `get` returns undefined for it. A missing CRD has no name in its details, and
 * a missing namespace is an error that must be visible.
 */
function isGone(error: unknown): boolean {
  if (!isApiError(error) || !isNotFound(error)) return false;
  const { name, kind } = error.details ?? {};
  return name !== undefined && name !== '' && kind !== 'namespaces';
}

function causes(error: unknown): unknown[] {
  const chain: unknown[] = [];
  for (let link = error; link !== undefined && chain.length < maxChainLength;) {
    chain.push(link);
    link = link instanceof Error ? link.cause : undefined;
  }
  return chain;
}
