import type { Tree } from '../scaffold/tree.ts';

/** An error fails the command, a warning is advice. */
type Severity = 'error' | 'warning';

/** A place in a file of the project. */
export interface Place {
  /** Project-relative POSIX path. */
  readonly file: string;
  /** From 1; 1 if the whole file is meant, or if it is missing. */
  readonly line: number;
  /** From 1, in UTF-16 code units; undefined if the whole line is meant. */
  readonly column?: number;
}

/** What a rule found. */
export interface Problem extends Place {
  readonly severity: Severity;
  /** What is wrong, as one line. */
  readonly message: string;
  /** What to do about it. */
  readonly hint: string;
  /** Stages the repair; only where it cannot destroy work of the author. */
  readonly fix?: (tree: Tree) => void | Promise<void>;
}

/** A problem, and the rule that found it. */
export interface Finding extends Problem {
  readonly rule: string;
}

/** A finding that the configuration turns off. */
export interface IgnoredFinding extends Finding {
  /** Why, in the words of the author. */
  readonly reason: string;
}

/** What a rule could not check here. */
export interface SkippedCheck {
  readonly rule: string;
  readonly reason: string;
}

/** The outcome of all checks. */
export interface CheckResult {
  /** Sorted by file, line and rule. */
  readonly findings: readonly Finding[];
  readonly ignored: readonly IgnoredFinding[];
  readonly skipped: readonly SkippedCheck[];
  /** The names of the rules that ran. */
  readonly rules: readonly string[];
}
