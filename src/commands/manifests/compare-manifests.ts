import type { Context } from '../../context.ts';
import { OtsError } from '../../errors/ots-error.ts';
import { compareCrd } from '../../manifests/compat/compare-crd.ts';
import { type FindingDiagnostic, findingDiagnostic } from '../../manifests/compat/finding.ts';
import { formatDiagnostic } from '../../manifests/diagnostics/format-diagnostic.ts';
import { projectRoot } from '../shared/in-project.ts';
import { baselinesAt } from './baselines-at.ts';
import type { ManifestsOptions } from './manifests-options.ts';
import { planManifests } from './plan-manifests.ts';

/**
 * `ots manifests --compat <git-ref>`: compares the CRDs of the sources with those of a git revision, and writes nothing.
 *
 * @throws OtsError `BREAKING_CHANGES` with all of them, and errors in reading the revision and the sources
 */
export async function compareManifests(options: ManifestsOptions, context: Context): Promise<void> {
  const revision = options.compat ?? '';
  const { commit, baselines } = await baselinesAt(revision, projectRoot(options, context), context);
  const { generated } = await planManifests(options, context, false);
  const findings = baselines.flatMap((baseline) =>
    compareCrd(baseline.crd, generated.crds).map((finding) => findingDiagnostic(finding, baseline, revision)),
  );
  const kinds = baselines.map(({ crd }) => `${crd.spec.names.plural}.${crd.spec.group}`);
  if (findings.length > 0) throw breaking(findings, { revision, commit, kinds });
  if (options.json) {
    const report = { command: 'manifests', compat: { revision, commit, kinds, findings } };
    context.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
  } else if (!options.quiet) {
    const compared = kinds.length === 1 ? '1 kind' : `${kinds.length} kinds`;
    context.stdout.write(`No breaking changes since ${revision} (${compared}).\n`);
  }
}

function breaking(
  findings: readonly FindingDiagnostic[],
  details: { revision: string; commit: string; kinds: readonly string[] },
): OtsError {
  const count = findings.length === 1 ? 'A change since' : `${findings.length} changes since`;
  const verb = findings.length === 1 ? 'breaks' : 'break';
  return new OtsError(
    'BREAKING_CHANGES',
    `${count} ${details.revision} ${verb} users of the API:\n${findings.map(formatDiagnostic).join('\n')}`,
    {
      hint: 'Revert them, or make them in a new version of the API and convert between the two.',
      details: { ...details, findings },
    },
  );
}
