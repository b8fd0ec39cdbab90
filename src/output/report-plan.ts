import type { Change } from '../scaffold/change.ts';
import type { Plan } from '../scaffold/plan.ts';
import type { Context } from '../context.ts';
import { paint, paintDiff } from './paint.ts';

/** How much a command prints to stdout, and in which form. */
export interface ReportOptions {
  readonly dryRun: boolean;
  readonly json: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
}

const styles = { create: 'green', update: 'yellow', delete: 'red' } as const;

/** Prints what a plan does, or did. */
export async function reportPlan(plan: Plan, options: ReportOptions, context: Context): Promise<void> {
  if (options.json) {
    context.stdout.write(`${JSON.stringify(await jsonReport(plan, options), null, 2)}\n`);
    return;
  }
  if (options.quiet) return;
  const out = context.stdout;
  await reportChanges(plan, options.dryRun, context);
  if (options.verbose) for (const path of plan.unchanged) out.write(`unchanged ${path}\n`);
  for (const note of plan.notes) out.write(`${paint(context, 'stdout', 'cyan', 'note:')} ${note}\n`);
  out.write(`${summary(plan, options.dryRun)}\n`);
  if (options.dryRun || plan.nextSteps.length === 0) return;
  out.write(`\nNext:\n${plan.nextSteps.map((step) => `  ${step}\n`).join('')}`);
}

/**
 * Prints the files of a plan with the action on each.
 *
 * @param withDiffs print diffs; diffs of files that --force replaces are always printed
 */
export async function reportChanges(plan: Plan, withDiffs: boolean, context: Context): Promise<void> {
  for (const change of plan.changes) {
    const action = paint(context, 'stdout', styles[change.action], change.action);
    context.stdout.write(`${action} ${change.path}\n`);
    if (withDiffs || change.forced) context.stdout.write(await diffOf(change, context));
  }
}

async function diffOf(change: Change, context: Context): Promise<string> {
  const { unifiedDiff } = await import('./unified-diff.ts');
  const diff = unifiedDiff(change);
  if (diff === undefined) return `  (binary, ${change.after?.length ?? 0} bytes)\n`;
  return paintDiff(context, diff);
}

function summary(plan: Plan, dryRun: boolean): string {
  if (plan.changes.length === 0) return 'Nothing to do: everything is up to date';
  const counts = (['create', 'update', 'delete'] as const)
    .map((action) => [action, plan.changes.filter((change) => change.action === action).length] as const)
    .filter(([, count]) => count > 0)
    .map(([action, count]) => `${count} ${dryRun ? `to ${action}` : `${action}d`}`);
  return `${counts.join(', ')}${dryRun ? ' (dry run: nothing written)' : ''}`;
}

/** A plan as `--json` prints it, with diffs if it is a dry run. */
export async function jsonReport(plan: Plan, options: ReportOptions): Promise<object> {
  const { unifiedDiff } = await import('./unified-diff.ts');
  const changes = plan.changes.map(({ path, action, origin, forced, after, ...change }) => {
    const diff =
      options.dryRun || forced ? unifiedDiff({ path, action, origin, forced, after, ...change }) : undefined;
    return { path, action, origin, forced, bytes: after?.length ?? 0, ...(diff !== undefined && { diff }) };
  });
  const { command, root, unchanged, notes, nextSteps } = plan;
  return { command, root, dryRun: options.dryRun, changes, unchanged, notes, nextSteps };
}
