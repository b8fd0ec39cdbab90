import type { CheckResult } from '../finding.ts';

/** How many findings there are. */
export interface Counts {
  readonly errors: number;
  readonly warnings: number;
  /** How many `--fix` would repair. */
  readonly fixable: number;
  readonly ignored: number;
}

export function countsOf({ findings, ignored }: CheckResult): Counts {
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  const fixable = findings.filter(({ fix }) => fix !== undefined).length;
  return { errors, warnings: findings.length - errors, fixable, ignored: ignored.length };
}

/** The outcome, in one line. */
export function summaryOf(result: CheckResult): string {
  const { errors, warnings, fixable, ignored } = countsOf(result);
  const found = [
    ...(errors > 0 ? [count(errors, 'error')] : []),
    ...(warnings > 0 ? [count(warnings, 'warning')] : []),
  ].join(', ');
  const notes = [
    ...(fixable > 0 ? [`ots check --fix repairs ${fixable}`] : []),
    ...(ignored > 0 ? [`ots-check.yaml turns off ${ignored}`] : []),
  ];
  const outcome = found === '' ? `No problems found by ${count(result.rules.length, 'rule')}` : found;
  return `${outcome}${notes.length > 0 ? ` (${notes.join(', ')})` : ''}`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
