import type { Context } from '../../context.ts';
import { reportPlan } from '../../output/report-plan.ts';
import { reportOptions } from '../shared/report-options.ts';
import type { ManifestsOptions } from './manifests-options.ts';
import { planManifests } from './plan-manifests.ts';

/** `ots manifests`: updates the generated files, or with --dry-run shows the changes. */
export async function writeManifests(options: ManifestsOptions, context: Context): Promise<void> {
  const report = reportOptions(options);
  const { plan } = await planManifests(options, context, !report.dryRun);
  await reportPlan(plan, report, context);
}
