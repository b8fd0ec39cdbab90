import { compareCrd } from '../../manifests/compat/compare-crd.ts';
import { findingDiagnostic } from '../../manifests/compat/finding.ts';
import type { Problem } from '../finding.ts';
import type { ProjectView } from '../project-view.ts';

/** Compares the CRDs of the sources with those of the revision of `--compat`. */
export function checkCompat(view: ProjectView): Problem[] {
  const { compat } = view.options;
  const { manifests } = view;
  if (!compat || !manifests || manifests.diagnostics.length > 0) return [];
  const { revision, baselines } = compat;
  return baselines.flatMap((baseline) =>
    compareCrd(baseline.crd, manifests.crds).map((finding): Problem => {
      const { message, hint = '', file, line, column } = findingDiagnostic(finding, baseline, revision);
      const isHere = finding.origin !== undefined;
      // What is gone has a place only in the earlier revision.
      const place = isHere ? { file, line, column } : { file: baseline.path, line: 1 };
      return {
        ...place,
        severity: 'error',
        message: isHere ? message : `${message} (${file}:${line})`,
        hint,
      };
    }),
  );
}
