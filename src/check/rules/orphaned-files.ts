import { posix } from 'node:path';
import { apiGroup } from '../../project/names/api-group.ts';
import type { Project } from '../../project/project.ts';
import { isData } from '../../project/yaml/data.ts';
import { projectFile } from '../../scaffold/project-root.ts';
import { definedKind } from '../../manifests/webhook/handled-kind.ts';
import type { Place, Problem } from '../finding.ts';
import type { ProjectView } from '../project-view.ts';
import { codeFiles, roleFiles } from '../resource-locations.ts';
import { placeIn } from '../source/sources.ts';

/** Finds what looks like a part of a resource, while PROJECT has no such resource. */
export function checkOrphanedFiles(view: ProjectView): Problem[] {
  const { project } = view;
  if (!project) return [];
  return [
    ...unknownKinds(view, project),
    ...unknownCode(view, project),
    ...unknownSamples(view, project),
    ...unknownRoles(view, project),
  ];
}

/** Kinds in src/api, for which `ots manifests` generates CRDs. */
function unknownKinds({ sources }: ProjectView, project: Project): Problem[] {
  return sources.all.flatMap(({ module }) => {
    if (!module.source.path.startsWith('src/api/')) return [];
    return module.kindDefinitions.flatMap((definition) => {
      const defined = definedKind(definition);
      if (!defined || isKnown(project, defined)) return [];
      const { group, version, kind } = defined;
      return [
        orphan(
          placeIn(module, definition.span.start),
          `${projectFile} has no resource ${group}/${version} ${kind}, which this file defines`,
          `Add it to ${projectFile}, or delete the file and run ots manifests.`,
        ),
      ];
    });
  });
}

function unknownCode(view: ProjectView, project: Project): Problem[] {
  const known = new Set(
    project.resources.flatMap((resource) => codeFiles(project, resource).map(({ file }) => file)),
  );
  const found = [
    ...view.list('src/controllers').filter((path) => path.endsWith('.controller.ts')),
    ...view.list('src/webhooks').filter((path) => /\.(?:defaulter|validator|conversion)\.ts$/.test(path)),
  ];
  return found
    .filter((file) => !known.has(file))
    .map((file) =>
      orphan(
        { file, line: 1 },
        `${projectFile} has no resource with ${posix.basename(file)}`,
        `Add it to the resource in ${projectFile}, or delete the file and its lines in the index.ts of its list.`,
      ),
    );
}

/** Samples of the project's groups. Others may accompany them, such as a Secret. */
function unknownSamples(view: ProjectView, project: Project): Problem[] {
  const groups = new Set(project.resources.filter(({ api }) => api).map((resource) => apiGroup(resource)));
  return view
    .list('config/samples')
    .filter((path) => /\.ya?ml$/.test(path))
    .flatMap((path) =>
      (view.yaml(path)?.values ?? []).flatMap((value, document) => {
        if (!isData(value) || typeof value['apiVersion'] !== 'string' || typeof value['kind'] !== 'string')
          return [];
        const { apiVersion, kind } = value as { apiVersion: string; kind: string };
        const [version = '', group = ''] = apiVersion.split('/').toReversed();
        if (!groups.has(group) || isKnown(project, { group, version, kind })) return [];
        return [
          orphan(
            view.place(path, document, ['kind']),
            `${projectFile} has no resource ${apiVersion} ${kind}, of which this is a sample`,
            'Correct apiVersion and kind, or delete the sample and its entry in config/samples/kustomization.yaml.',
          ),
        ];
      }),
    );
}

function unknownRoles(view: ProjectView, project: Project): Problem[] {
  const known = new Set(
    project.resources.flatMap((resource) => roleFiles(resource).flatMap(({ names }) => names)),
  );
  return view
    .list('config/rbac')
    .filter((path) => /-(?:admin|editor|viewer)-role\.yaml$/.test(path) && !known.has(posix.basename(path)))
    .map((file) =>
      orphan(
        { file, line: 1 },
        `${projectFile} has no resource for the role in ${posix.basename(file)}`,
        `Delete the file and its entry in config/rbac/kustomization.yaml, or add the resource to ${projectFile}.`,
      ),
    );
}

function isKnown(project: Project, wanted: { group: string; version: string; kind: string }): boolean {
  return project.resources.some(
    (resource) =>
      apiGroup(resource) === wanted.group &&
      resource.version === wanted.version &&
      resource.kind === wanted.kind,
  );
}

function orphan(place: Place, message: string, hint: string): Problem {
  return { ...place, severity: 'warning', message, hint };
}
