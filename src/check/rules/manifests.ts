import type { Tree } from '../../scaffold/tree.ts';
import type { Problem } from '../finding.ts';
import type { ProjectView } from '../project-view.ts';

const hint = 'Run ots manifests and commit the result.';

/** Checks that the sources have no errors and that the generated files are those of the sources. */
export function checkManifests(view: ProjectView): Problem[] {
  const { manifests } = view;
  if (!manifests) return [];
  if (manifests.diagnostics.length > 0)
    return manifests.diagnostics.map(({ file, line, column, message, hint: advice }) => ({
      file,
      line,
      column,
      severity: 'error',
      message,
      hint: advice ?? 'Correct the source.',
    }));
  const outdated = [...manifests.files].flatMap(([file, content]) => {
    const current = view.read(file);
    if (current === content) return [];
    const [line, message] =
      current === undefined
        ? [1, `${file} is missing`]
        : [firstDifference(current, content), `${file} is out of date`];
    return [
      {
        file,
        line,
        severity: 'error' as const,
        message,
        hint,
        fix: (tree: Tree) => tree.generate(file, content),
      },
    ];
  });
  const orphaned = manifests.orphans.map((file) => ({
    file,
    line: 1,
    severity: 'error' as const,
    message: `${file} is no longer generated`,
    hint,
    fix: (tree: Tree) => tree.remove(file),
  }));
  return [...outdated, ...orphaned];
}

/** The first line of a file that differs from another text. */
function firstDifference(current: string, expected: string): number {
  const lines = expected.split('\n');
  return current.split('\n').findIndex((line, index) => line !== lines[index]) + 1 || 1;
}
