import type { Finding, TortureReport } from 'ots-testing';
import { oneLine } from '../../output/one-line.ts';
import type { SampleReport, TortureResult } from '../torture-result.ts';

/** A number of things, such as `2 findings`. */
export function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** How far the search with a sample came, such as `96 of 480 plans tried in 34 s, seed 1`. */
export function describeSearch({ report: { plans, milliseconds, seed } }: SampleReport): string {
  const skipped = plans.skipped > 0 ? ` (${plans.skipped} more cannot differ)` : '';
  return `${plans.tried} of ${countOf(plans.all, 'plan')} tried${skipped} in ${Math.round(milliseconds / 1000)} s, seed ${seed}`;
}

/** All that is wrong, besides the consequence. */
export function furtherDetails({ consequence, details }: Finding): string[] {
  return details.filter((detail) => detail !== consequence);
}

/** What to know before a replay, one sentence each. */
export function doubtsOf({ replays }: Finding): string[] {
  return replays
    ? []
    : [
        'The operator wrote something else when the plan was tried again: it depends on something outside of the cluster.',
      ];
}

/** A time of a timeline, in seconds. */
export function describeTime(milliseconds: number): string {
  return `${Number((milliseconds / 1000).toFixed(2))} s`;
}

/** Where the author's code makes a write, such as `src/controllers/my-app.controller.ts:42`; undefined if it is not known. */
export function describeSource({ source }: Finding): string | undefined {
  return source && `${source.file}:${source.line}`;
}

/**
 * The command line that does something with a finding.
 *
 * @param flag such as `--replay`
 */
export function commandFor(
  flag: string,
  { id }: Finding,
  { sample }: SampleReport,
  { samples }: Pick<TortureResult, 'samples'>,
): string {
  const isAmbiguous = samples.some(
    (other) => other.sample !== sample && other.report.findings.some((finding) => finding.id === id),
  );
  return ['ots torture', ...(isAmbiguous ? [inShell(sample.file)] : []), flag, inShell(id)].join(' ');
}

function inShell(word: string): string {
  return /^[\w./-]+$/.test(word) ? word : `'${oneLine(word).replaceAll("'", String.raw`'\''`)}'`;
}

/** What UIDs in preconditions kept the operator from, such as `2 deletions of another object by UID preconditions`. */
export function describePrevented(deletions: number): string {
  return `${countOf(deletions, 'deletion')} of another object by UID preconditions`;
}

/** The fields of the spec whose changes were not visible anywhere else. */
export function fieldsWithoutEffect({ fields }: TortureReport): string[] {
  return Object.keys(fields).filter((field) => !fields[field]);
}

/** Whether plans are left that the budget did not suffice for. */
export function hasMorePlans({ samples }: TortureResult): boolean {
  return samples.some(({ report: { plans } }) => plans.tried < plans.all);
}

/** The outcome, in one line. */
export function summaryOf({ samples, failures }: TortureResult): string {
  const findings = samples.flatMap((sample) => sample.findings);
  const accepted = samples.flatMap((sample) => sample.accepted);
  const found = findings.length === 0 ? 'No findings' : countOf(findings.length, 'finding');
  const notes = [
    ...(accepted.length > 0 ? [`torture-baseline.yaml accepts ${accepted.length}`] : []),
    ...(failures.length > 0 ? [`${failures.length} not searched`] : []),
  ];
  return `${found} in ${countOf(samples.length, 'sample')}${notes.length > 0 ? ` (${notes.join(', ')})` : ''}`;
}
