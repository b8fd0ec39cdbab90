import { posix } from 'node:path';
import { type Program, Visitor } from 'oxc-parser';
import { addToKustomization } from '../../layouts/typescript/add-to-kustomization.ts';
import type { Project, Resource } from '../../project/project.ts';
import { describeResource } from '../../project/resource-identity.ts';
import { projectFile } from '../../scaffold/project-root.ts';
import type { Tree } from '../../scaffold/tree.ts';
import type { Place, Problem } from '../finding.ts';
import type { ProjectView } from '../project-view.ts';
import {
  type CodeFile,
  codeFiles,
  definitionFile,
  kindFileOf,
  roleFiles,
  sampleOf,
} from '../resource-locations.ts';
import { mainFile, placeIn } from '../source/sources.ts';

/** Checks that each resource of PROJECT has what the create commands add for it. */
export function checkResourceFiles(view: ProjectView): Problem[] {
  const { project } = view;
  if (!project) return [];
  return project.resources.flatMap((resource, index) => [
    ...kindProblems(view, project, resource, index),
    ...codeFiles(project, resource).flatMap((code) => codeProblems(view, resource, index, code)),
    ...(resource.api ? configProblems(view, resource, index) : []),
  ]);
}

function kindProblems(view: ProjectView, project: Project, resource: Resource, index: number): Problem[] {
  const file = kindFileOf(project, resource);
  return file === undefined || view.exists(file)
    ? []
    : [missing(view.resourcePlace(index, 'kind'), resource, file, 'the type')];
}

function codeProblems(view: ProjectView, resource: Resource, index: number, code: CodeFile): Problem[] {
  const { what, file, keys, index: list } = code;
  if (!view.exists(file)) return [missing(view.resourcePlace(index, ...keys), resource, file, what)];
  const { sources } = view;
  const listed = sources.parse(list);
  // Errors in the code are reported elsewhere, and hide what is imported.
  if (!listed || !sources.parse(file) || !sources.parse(mainFile)) return [];
  const setup = listed.imports.includes(file) ? unusedImport(listed.program, list, file) : undefined;
  if (setup !== undefined)
    return [
      {
        ...placeIn(listed.module, setup.offset),
        severity: 'error',
        message: `${setup.name} is imported but not in the list, so ${what} of ${resource.kind} never runs`,
        hint: `Add ${setup.name} to the list in ${list}, or delete ${file} and its entry in ${projectFile}.`,
      },
    ];
  if (sources.running.some(({ module }) => module.source.path === file)) return [];
  return [
    {
      file: list,
      line: 1,
      severity: 'error',
      message: `${mainFile} does not import ${file}, so ${what} of ${resource.kind} never runs`,
      hint: `Import the setup function of ${file} in ${list} and add it to the list.`,
    },
  ];
}

/** The name that a module imports from another one and does not use. */
function unusedImport(
  program: Program,
  from: string,
  file: string,
): { name: string; offset: number } | undefined {
  const imported = program.body.flatMap((statement) =>
    statement.type === 'ImportDeclaration' &&
    posix.join(posix.dirname(from), statement.source.value).replace(/(?:\.[jt]s)?$/, '.ts') === file
      ? statement.specifiers.map(({ local }) => local)
      : [],
  );
  const body = program.body.filter(({ type }) => type !== 'ImportDeclaration');
  const uses = new Set<string>();
  new Visitor({ Identifier: ({ name }) => void uses.add(name) }).visit({ ...program, body });
  const unused = imported.every(({ name }) => !uses.has(name)) ? imported[0] : undefined;
  return unused && { name: unused.name, offset: unused.start };
}

/** The sample, the definition and the roles of a kind, and their entries. */
function configProblems(view: ProjectView, resource: Resource, index: number): Problem[] {
  const place = view.resourcePlace(index, 'kind');
  const sample = sampleOf(resource);
  const roles = roleFiles(resource).flatMap(({ role, names }) => {
    const name = names.find((each) => view.exists(`config/rbac/${each}`));
    return name === undefined
      ? [
          {
            ...missing(place, resource, `config/rbac/${names[0]}`, `the role ${role}`),
            severity: 'warning' as const,
          },
        ]
      : entryProblem(view, 'config/rbac', name);
  });
  return [
    ...(view.exists(sample)
      ? entryProblem(view, 'config/samples', posix.basename(sample))
      : [{ ...missing(place, resource, sample, 'the sample'), severity: 'warning' as const }]),
    ...entryProblem(view, 'config/crd', definitionFile(resource)),
    ...roles,
  ];
}

/** A file that `ots create` listed in a kustomization, and that is not listed there any more. */
function entryProblem(view: ProjectView, directory: string, entry: string): Problem[] {
  const target = `${directory}/${entry}`;
  const kustomization = view.kustomizations.of(directory);
  if (view.kustomizations.targets.has(target)) return [];
  const file = kustomization?.file ?? `${directory}/kustomization.yaml`;
  if (!kustomization && view.exists(file)) return [];
  const isFixable = kustomization?.file === `${directory}/kustomization.yaml`;
  return [
    {
      ...(kustomization ? view.place(file, 0, ['resources']) : { file, line: 1 }),
      severity: 'error',
      message: kustomization ? `${file} does not list ${entry}` : `${file} is missing, which lists ${entry}`,
      hint: kustomization
        ? `Add "${entry}" to resources.`
        : `Restore it, for example with git checkout ${file}.`,
      ...(isFixable && { fix: (tree: Tree) => addToKustomization(tree, directory, 'resources', [entry]) }),
    },
  ];
}

function missing(place: Place, resource: Resource, file: string, what: string): Problem {
  return {
    ...place,
    severity: 'error',
    message: `${file} is missing: ${what} of ${describeResource(resource)}`,
    hint: `Restore it, for example with git checkout ${file}, or delete the entry in ${projectFile}.`,
  };
}
