import { isApiError, isConflict, isNotFound } from '../errors/api-error.ts';
import { SeveralErrors } from '../errors/several-errors.ts';
import { FinalizerError } from '../finalizers/finalizer-error.ts';
import { isKnownOutage } from '../transport/reachability.ts';

const brand = Symbol.for('ots-runtime.TerminalError');

/** Throw it from a reconciler when trying again cannot help: the next change of the object runs it again. */
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

/** Longer chains of causes are not looked through: they may be circular. */
const longestChain = 10;

type Meaning = 'terminal' | 'gone' | 'conflict' | 'error';

/**
 * What the error of a run means, also when it is the cause of another: `terminal` is not tried again; `conflict` says
 * only that an object was changed between being read and written, and `gone` that it was deleted: the next run sees it anew.
 * Of several errors, the one that most needs another try counts.
 */
export function classifyError(error: unknown): Meaning {
  for (const link of causes(error)) {
    const parts = partsOf(link);
    if (parts.length > 0) return meaningOfAll(parts);
    if (isTerminal(link)) return 'terminal';
    if (isOvertaken(link)) return 'conflict';
    if (isGone(link)) return 'gone';
  }
  return 'error';
}

function meaningOfAll(errors: readonly unknown[]): Meaning {
  const meanings = new Set(errors.map(classifyError));
  return (['error', 'conflict', 'gone'] as const).find((each) => meanings.has(each)) ?? 'terminal';
}

/** What failed of a piece of work with several parts: the first of them is also the cause, and not the only one. */
function partsOf(error: unknown): readonly unknown[] {
  if (error instanceof FinalizerError) return [...error.errors.values()];
  return error instanceof SeveralErrors ? error.errors : [];
}

/** True when the server is away, which is said in the log for all that need it. */
export function isOutage(error: unknown): boolean {
  return causes(error).some(isKnownOutage);
}

/** True when the error is, or was caused by, the abortion of the signal. */
export function isAbortion(error: unknown, signal: AbortSignal): boolean {
  if (!signal.aborted) return false;
  const { reason } = signal as { reason: unknown };
  // By name as well: whoever finds the work to be over, such as a fence, may say so with an error of its own.
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

/** Not a field of an apply that somebody else owns: that stays as it is, however often it is tried. */
function isOvertaken(error: unknown): boolean {
  return isConflict(error) && !error.details?.causes?.some(({ reason }) => reason === 'FieldManagerConflict');
}

/**
 * The object of a write is not there any more. `get` returns undefined for it; a missing CRD has no name in its
 * details, and a missing namespace is a mistake that is to be seen.
 */
function isGone(error: unknown): boolean {
  if (!isApiError(error) || !isNotFound(error)) return false;
  const { name, kind } = error.details ?? {};
  return name !== undefined && name !== '' && kind !== 'namespaces';
}

function causes(error: unknown): unknown[] {
  const chain: unknown[] = [];
  for (let link = error; link !== undefined && chain.length < longestChain;) {
    chain.push(link);
    link = link instanceof Error ? link.cause : undefined;
  }
  return chain;
}
