import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { locate } from '../diagnostics/locate.ts';
import type { Finding } from './finding.ts';
import type { Baseline } from './read-baseline.ts';

/** A finding as it is shown, and as `--json` has it. */
export interface FindingDiagnostic extends Diagnostic {
  readonly kind: string;
  readonly version?: string;
  readonly path?: string;
}

/**
 * Gives a finding its place in a file: that of the nearest declaration, or in the definition as it was.
 *
 * @param revision how the author calls the revision that the baseline is from
 */
export function findingDiagnostic(finding: Finding, baseline: Baseline, revision: string): FindingDiagnostic {
  const { code, kind, version, path, message, hint, origin } = finding;
  const subject = [kind, version, path].filter((part) => part !== undefined).join(' ');
  const base = {
    code,
    kind,
    ...(version === undefined ? {} : { version }),
    ...(path === undefined ? {} : { path }),
    message: `${subject}: ${message}`,
    hint,
  };
  if (!origin) {
    const { line, sourceLine } = baseline;
    const file = `${revision}:${baseline.path}`;
    return { ...base, file, line, column: 1, length: Math.max(1, sourceLine.length), sourceLine };
  }
  return { ...base, ...locate(origin.source, origin.span) };
}
