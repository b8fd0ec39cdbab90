import type { Problem } from '../finding.ts';
import type { ProjectView } from '../project-view.ts';

/** Checks that every kustomization that no other one includes can be built. */
export async function checkBuilds(view: ProjectView): Promise<Problem[]> {
  const problems: Problem[] = [];
  for (const { directory } of view.kustomizations.roots) {
    const build = await view.build(directory);
    if ('problem' in build) problems.push(build.problem);
    if ('skipped' in build) view.skip('kustomize-build', build.skipped);
  }
  return distinct(problems);
}

/** Two kustomizations that include the same broken one have the same problem. */
function distinct(problems: readonly Problem[]): Problem[] {
  return [...new Map(problems.map((problem) => [`${problem.file}\0${problem.message}`, problem])).values()];
}
