import { posix } from 'node:path';
import { OtsError } from '../../errors/ots-error.ts';
import { kebabCase } from '../../project/names/kebab-case.ts';
import type { Project, Resource } from '../../project/project.ts';
import type { Tree } from '../../scaffold/tree.ts';
import { moveFiles } from './move-files.ts';
import {
  type Layout,
  controllerFile,
  isTortureTest,
  testFileOf,
  tortureTestFile,
  typeDirectory,
  webhookFile,
} from './paths.ts';
import { findingTestsOf } from './stage-torture-test.ts';

/**
 * Moves the files of a project to their places in another layout and updates all imports.
 *
 * @throws OtsError `SEVERAL_GROUPS` if a project with several groups would lose its group folders
 */
export function relocate(tree: Tree, project: Project, to: Layout): void {
  const own = project.resources.filter((resource) => resource.api);
  const groups = new Set(own.map((resource) => resource.group));
  if (!to.multigroup && groups.size > 1) {
    throw new OtsError('SEVERAL_GROUPS', `The project has several groups: ${[...groups].join(', ')}`, {
      hint: 'Keep --multigroup: without it, a project can have only one group.',
    });
  }
  const moves = new Map<string, string>();
  for (const resource of own) moveDirectory(tree, project, to, resource, moves);
  for (const resource of project.resources) {
    for (const layoutFile of filesOf(resource)) {
      const [from, target] = [layoutFile(project), layoutFile(to)];
      for (const [old, path] of [
        [from, target],
        [testFileOf(from), testFileOf(target)],
      ] as const) {
        if (old !== path && tree.exists(old)) moves.set(old, path);
      }
      if (isTortureTest(from)) moveFindings(tree, from, target, moves);
    }
  }
  moveFiles(tree, moves);
}

/** The tests of findings stay beside the torture test of their kind. */
function moveFindings(tree: Tree, from: string, to: string, moves: Map<string, string>): void {
  if (from === to) return;
  for (const path of findingTestsOf(tree, from))
    moves.set(path, posix.join(posix.dirname(to), posix.basename(path)));
}

/** Beside the types of a version, the author may have added files that belong to them. */
function moveDirectory(
  tree: Tree,
  from: Layout,
  to: Layout,
  resource: Resource,
  moves: Map<string, string>,
): void {
  const old = typeDirectory(from, resource.group, resource.version);
  const target = typeDirectory(to, resource.group, resource.version);
  for (const path of tree.list(old)) moves.set(path, `${target}${path.slice(old.length)}`);
}

/** Returns the files of a resource whose path depends on the layout, each as a function of the layout. */
function filesOf(resource: Resource): ((layout: Layout) => string)[] {
  const { group, kind } = resource;
  const location = { ...resource, kindKebab: kebabCase(kind) };
  const controllers = [kebabCase(kind), ...resource.controllers.map(({ name }) => name)];
  const roles = ['defaulter', 'validator', 'conversion'] as const;
  return [
    ...controllers.map((name) => (layout: Layout) => controllerFile(layout, group, name)),
    (layout: Layout) => tortureTestFile(layout, group, location.kindKebab),
    ...roles.map((role) => (layout: Layout) => webhookFile(layout, location, role)),
  ];
}
