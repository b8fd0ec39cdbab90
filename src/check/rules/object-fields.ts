import { oneLine } from '../../output/one-line.ts';
import type { Problem } from '../finding.ts';
import { placeOf } from '../kustomize-build.ts';
import type { ProjectView } from '../project-view.ts';

/** Checks the fields of everything that is deployed, as `kubectl apply --validate=strict` does. */
export async function checkObjectFields(view: ProjectView): Promise<Problem[]> {
  const found = new Map<string, Problem>();
  for (const { directory } of view.kustomizations.roots) {
    const build = await view.build(directory);
    if (!('objects' in build)) continue;
    for (const { deployed, message, path } of build.wrongFields) {
      const { kind, metadata } = deployed.object;
      const place = placeOf(view, deployed, directory, path);
      found.set(`${place.file}\0${place.line}\0${message}`, {
        ...place,
        severity: 'error',
        message: `${kind} ${metadata.name}: ${oneLine(message)}`,
        hint: 'Correct the field, or a patch that adds it.',
      });
    }
  }
  return [...found.values()];
}
