import { ActError } from '../run/act-error.ts';

/** What an oracle says about a run. */
export interface Verdict {
  /** Its name, such as `converges`. */
  readonly oracle: string;
  /** One line each. */
  readonly details: readonly string[];
}

/** @returns nothing without details */
export function verdictOf(oracle: string, details: readonly string[]): Verdict[] {
  return details.length > 0 ? [{ oracle, details }] : [];
}

/**
 * What an error in a run says about the operator: it did not survive.
 *
 * @throws {ActError} what a user could not do, which says nothing about the operator
 */
export function verdictOfError(error: unknown): Verdict[] {
  if (error instanceof ActError) throw error;
  return verdictOf('survives', [String(error)]);
}
