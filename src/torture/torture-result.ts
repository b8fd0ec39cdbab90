import type { Finding, TortureReport } from 'ots-testing';

/** An object of the project that an operator goes through plans with. */
export interface Sample {
  /** Project-relative, with `/`. */
  readonly file: string;
  readonly kind: string;
}

/** What the search found with a sample. */
export interface SampleReport {
  readonly sample: Sample;
  readonly report: TortureReport;
}

/** A finding that the author accepts. */
interface AcceptedFinding extends Finding {
  readonly reason: string;
}

/** The search with a sample, after the baseline. */
export interface SampleResult extends SampleReport {
  /** Those that the author does not accept. */
  readonly findings: readonly Finding[];
  readonly accepted: readonly AcceptedFinding[];
}

/** A search that came to no end. */
export interface SampleFailure {
  readonly sample: Sample;
  /** One line each. */
  readonly problem: string;
  readonly hint: string;
}

/** What `ots torture` found. */
export interface TortureResult {
  readonly samples: readonly SampleResult[];
  readonly failures: readonly SampleFailure[];
  /** Entries of the baseline that accept nothing, if all plans were tried. */
  readonly unused: readonly UnusedEntry[];
  /** Whether a signal ended the search before its time. */
  readonly isInterrupted: boolean;
}

/** An entry of the baseline that accepts nothing. */
export interface UnusedEntry {
  readonly finding: string;
  /** From 1. */
  readonly line: number;
}
