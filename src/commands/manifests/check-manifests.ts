import type { Context } from '../../context.ts';
import { OtsError } from '../../errors/ots-error.ts';
import { reportChanges, reportPlan } from '../../output/report-plan.ts';
import { unifiedDiff } from '../../output/unified-diff.ts';
import { quoted } from '../../project/names/quoted.ts';
import type { Change } from '../../scaffold/change.ts';
import type { Plan } from '../../scaffold/plan.ts';
import { reportOptions } from '../shared/report-options.ts';
import type { ManifestsOptions } from './manifests-options.ts';
import { planManifests } from './plan-manifests.ts';

/** The problem with a file, by the change that would fix it. */
const problems = { create: 'missing', update: 'outdated', delete: 'orphaned' } as const;

/** How many files the message names; the details and the diffs have all. */
const maxNamedFiles = 5;

/**
 * `ots manifests --check`: compares the generated files with the sources, for CI, and writes nothing.
 *
 * @throws OtsError `MANIFESTS_OUTDATED` if a file differs, is missing, or is no longer generated
 */
export async function checkManifests(options: ManifestsOptions, context: Context): Promise<void> {
  const report = { ...reportOptions(options), dryRun: true };
  const { plan } = await planManifests(options, context, false);
  if (plan.changes.length > 0) {
    if (!report.json && !report.quiet) await reportChanges(plan, true, context);
    throw outdated(plan, options);
  }
  if (report.json) await reportPlan(plan, report, context);
  else if (!report.quiet) context.stdout.write(`Up to date: ${count(plan.unchanged.length)}.\n`);
}

function outdated({ changes }: Plan, { docs }: ManifestsOptions): OtsError {
  const command = docs === undefined ? 'ots manifests' : `ots manifests --docs ${shellWord(docs)}`;
  const be = changes.length === 1 ? 'is' : 'are';
  return new OtsError('MANIFESTS_OUTDATED', `${count(changes.length)} ${be} out of date: ${named(changes)}`, {
    hint: `Run ${command} and commit the result.`,
    details: { command, files: changes.map(describe) },
  });
}

function describe(change: Change): object {
  return { path: change.path, problem: problems[change.action], diff: unifiedDiff(change) };
}

function named(changes: readonly Change[]): string {
  const names = changes.slice(0, maxNamedFiles).map(({ path }) => path);
  const more = changes.length - names.length;
  return `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function count(files: number): string {
  return `${files} generated ${files === 1 ? 'file' : 'files'}`;
}

function shellWord(value: string): string {
  return /^[\w./-]+$/.test(value) ? value : quoted(value);
}
