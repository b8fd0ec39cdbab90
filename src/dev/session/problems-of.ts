import { InstallError } from 'ots-apiserver';
import { OtsError } from '../../errors/ots-error.ts';
import type { Diagnostic } from '../../manifests/diagnostics/diagnostic.ts';
import type { ProblemState } from '../model/dev-state.ts';

/** An error as a person should see it: the errors in sources with their places, one by one. */
export function problemsOf(error: unknown): Omit<ProblemState, 'source'>[] {
  if (error instanceof InstallError) return [{ message: error.problem, hint: error.hint }];
  if (!(error instanceof OtsError))
    return [{ message: error instanceof Error ? error.message : String(error) }];
  const diagnostics = error.details?.['diagnostics'] as readonly Diagnostic[] | undefined;
  if (!diagnostics) return [{ message: error.message, hint: error.hint }];
  return diagnostics.map(({ file, line, column, message, hint }) => ({
    message,
    ...(hint !== undefined && { hint }),
    location: `${file}:${line}:${column}`,
  }));
}
