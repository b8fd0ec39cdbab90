import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { stageProject } from '../../src/layouts/typescript/stage-project.ts';
import { ProjectFile } from '../../src/project/project-file.ts';
import { memoryTree } from '../../src/scaffold/memory-tree.ts';
import { Tree } from '../../src/scaffold/tree.ts';
import { filesOf } from '../support/files-of.ts';
import { goldenProjects } from '../support/golden-projects.ts';

const goldenRoot = fileURLToPath(new URL('../golden/', import.meta.url));

/** What commands besides init and create write: the answers to questions, which PROJECT does not record. */
const describedByAuthor = 'config/manifests/bases/bundled.clusterserviceversion.yaml';

/** `ots edit --namespaced` leaves the tests of controllers and torture tests to their author. */
function isAsScaffolded(path: string): boolean {
  return path !== describedByAuthor && !/\.(?:controller|torture)\.test\.ts$/.test(path);
}

describe.each(goldenProjects)('golden project $name', ({ name }) => {
  const isExpected = name === 'moved' || name === 'bundled' ? isAsScaffolded : () => true;

  test('is staged again from PROJECT', async () => {
    const directory = join(goldenRoot, name);
    const tree = memoryTree();
    const { project } = ProjectFile.parse(readFileSync(join(directory, 'PROJECT'), 'utf8'));
    await stageProject(tree, project, new Tree(directory));
    const staged = tree.changes().map(({ path, after }) => [path, after?.toString()] as const);
    const { PROJECT: _, ...golden } = filesOf(directory);
    const comparable = (entries: Iterable<readonly [string, unknown]>): object =>
      Object.fromEntries([...entries].filter(([path]) => !path.startsWith('vendor/') && isExpected(path)));
    expect(comparable(staged)).toEqual(comparable(Object.entries(golden)));
  });
});
