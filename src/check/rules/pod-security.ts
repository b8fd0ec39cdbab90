import { type Violation, checkedPodOf, violationsOf } from 'ots-apiserver/pod-security';
import { isData } from '../../project/yaml/data.ts';
import type { Place, Problem } from '../finding.ts';
import type { DeployedObject } from '../deployed-object.ts';
import { placeOf } from '../kustomize-build.ts';
import { type PodTemplate, podTemplateOf } from '../pod-templates.ts';
import type { ProjectView } from '../project-view.ts';

const samples = 'config/samples';

/**
 * Checks pods of everything that is deployed by the restricted level of the Pod Security Standards, as the API server does for a namespace
 * with `pod-security.kubernetes.io/enforce: restricted` (https://kubernetes.io/docs/concepts/security/pod-security-standards/).
 */
export async function checkPodSecurity(view: ProjectView): Promise<Problem[]> {
  const found = new Map<string, Problem>();
  for (const { directory } of view.kustomizations.roots) {
    const build = directory === samples ? undefined : await view.build(directory);
    if (!build || !('objects' in build)) continue;
    for (const deployed of build.objects)
      for (const problem of problemsOf(view, deployed, directory))
        found.set(`${problem.file}\0${problem.message}`, problem);
  }
  return [...found.values()];
}

function problemsOf(view: ProjectView, deployed: DeployedObject, root: string): Problem[] {
  const pods = podTemplateOf(deployed.object);
  if (!pods) return [];
  const { kind, metadata } = deployed.object;
  const violations = violationsOf(checkedPodOf(pods.template), { level: 'restricted', version: Infinity });
  return violations.map((violation) => ({
    ...placeOfViolation(view, deployed, root, pods, violation),
    severity: 'error',
    message: `${kind} ${metadata.name} breaks the restricted Pod Security Standard: ${violation.reason} (${violation.detail})`,
    hint: 'Set what the parentheses say. The API server refuses such pods in a namespace that enforces the level.',
  }));
}

/** The security context of the container or the volume that the violation names, or else of the pod. */
function placeOfViolation(
  view: ProjectView,
  deployed: DeployedObject,
  root: string,
  { path }: PodTemplate,
  { detail }: Violation,
): Place {
  const [, list = '', name = ''] = /(container|volume)s? "([^"]*)"/.exec(detail) ?? [];
  const source = deployed.source && view.yaml(deployed.source.file)?.values[deployed.source.document];
  let spec: unknown = source;
  for (const key of [...path, 'spec']) spec = isData(spec) ? spec[key] : undefined;
  const lists = list === 'volume' ? ['volumes'] : ['containers', 'initContainers'];
  for (const key of isData(spec) && name !== '' ? lists : []) {
    const items: unknown = isData(spec) ? spec[key] : undefined;
    const index = Array.isArray(items)
      ? items.findIndex((item) => isData(item) && item['name'] === name)
      : -1;
    if (index >= 0) return placeOf(view, deployed, root, [...path, 'spec', key, index, 'securityContext']);
  }
  return placeOf(view, deployed, root, [...path, 'spec', 'securityContext']);
}
