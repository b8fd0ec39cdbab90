import type { Origin } from '../schema/origin.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { locate } from '../diagnostics/diagnostic.ts';
import type { Baseline } from './read-baseline.ts';

/** A change that breaks users of the earlier API. */
export interface Finding {
  /** Stable identifier of the rule, for machines. */
  readonly code: string;
  readonly kind: string;
  /** The version of the API; left out when all are concerned. */
  readonly version?: string;
  /** Where in an object of the kind, like `.spec.ports[].name`; left out when the kind itself is concerned. */
  readonly path?: string;
  /** What changed, from what to what, and whom it breaks. */
  readonly message: string;
  /** What to do instead. */
  readonly hint: string;
  /** The nearest declaration that still exists; undefined when there is none. */
  readonly origin: Origin | undefined;
}

/** Records a finding about the place that a comparison is at. */
export type Report = (code: string, message: string, hint: string, origin?: Origin) => void;

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
