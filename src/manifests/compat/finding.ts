import type { Origin } from '../schema/origin.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { locate } from '../diagnostics/diagnostic.ts';
import type { Baseline } from './read-baseline.ts';

/** A change that breaks users of the earlier API. */
export interface Finding {
  /** Stable identifier of the rule, for machines. */
  readonly code: string;
  readonly kind: string;
  /** The version of the API; undefined if the finding concerns all versions. */
  readonly version?: string;
  /**
   * Path in an object of the kind, like `.spec.ports[].name`; undefined if the finding concerns the kind
   * itself.
   */
  readonly path?: string;
  /** What changed, with the old and the new state, and whom it breaks. */
  readonly message: string;
  /** What to do instead. */
  readonly hint: string;
  /** The nearest declaration that still exists; undefined if none does. */
  readonly origin: Origin | undefined;
}

/** Records a finding about the current place of the comparison. */
export type Report = (code: string, message: string, hint: string, origin?: Origin) => void;

/** A finding for display and for `--json`. */
export interface FindingDiagnostic extends Diagnostic {
  readonly kind: string;
  readonly version?: string;
  readonly path?: string;
}

/**
 * Locates a finding: at the nearest declaration, or in the earlier definition.
 *
 * @param revision the author's name for the revision of the baseline
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
