import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { scaffoldedFiles } from '../../src/layouts/typescript/unedited-project.ts';
import {
  type StagedUpdate,
  type UpdateBase,
  stageUpdate,
} from '../../src/layouts/typescript/stage-update.ts';
import { ProjectFile } from '../../src/project/project-file.ts';
import { memoryTree } from '../../src/scaffold/memory-tree.ts';
import { recordFile } from '../../src/scaffold/scaffold-record.ts';
import type { Tree } from '../../src/scaffold/tree.ts';
import { packageVersion } from '../../src/version.ts';
import { filesOf } from '../support/files-of.ts';
import { missingEdits, withEdits } from './authored-edits.ts';
import { type ReleasedProject, releasedProjects, scaffoldOf } from './releases.ts';

const goldenRoot = fileURLToPath(new URL('../golden/', import.meta.url));

type Files = Readonly<Record<string, string>>;

function buffers(files: Files): Map<string, Buffer> {
  return new Map(Object.entries(files).map(([path, text]) => [path, Buffer.from(text)]));
}

async function update(
  files: Files,
  base: UpdateBase,
): Promise<StagedUpdate & { tree: Tree; files: Files; record: Files }> {
  const tree = memoryTree(buffers(files));
  const outcome = await stageUpdate(tree, ProjectFile.parse(files['PROJECT']!), base);
  const updated: Record<string, string> = { ...files };
  for (const { path, after } of tree.changes()) {
    if (path.startsWith('vendor/') || path === recordFile) continue;
    if (after) updated[path] = after.toString();
    else delete updated[path];
  }
  const record = Object.fromEntries(
    [...scaffoldedFiles(tree)!].map(([path, text]) => [path, text.toString()]),
  );
  return { ...outcome, tree, files: updated, record };
}

/** The tests that `ots edit --namespaced` leaves to their author. */
const namespacedByAuthor = /\.(?:controller|torture)\.test\.ts$/;

/**
 * What may differ between projects of two versions: PROJECT, the owner that the commands of a golden project name, and the tests in
 * which `ots edit --namespaced` changed nothing, where an update makes them fit.
 */
function comparable(name: string, files: Files): Files {
  const entries = Object.entries(files)
    .filter(([path]) => path !== 'PROJECT' && !(name === 'moved' && namespacedByAuthor.test(path)))
    .map(([path, text]) => [path, text.replace(/2026 \w+ Else/, '2026 Harbor Ltd')]);
  return Object.fromEntries(entries) as Files;
}

describe.each(releasedProjects)('$name of $release', ({ name, files }: ReleasedProject) => {
  test('becomes the project of this version', async () => {
    const updated = await update(files, { committed: buffers(files) });
    expect(updated.conflicts).toEqual([]);
    expect(updated.notes).toEqual([]);
    const golden = filesOf(join(goldenRoot, name));
    expect(comparable(name, updated.files)).toEqual(comparable(name, golden));
    expect(updated.files['PROJECT']).toContain(`cliVersion: ${packageVersion}\n`);
  });
});

describe.each(releasedProjects.filter(({ name }) => name === 'jobwatcher'))(
  '$name of $release with edits',
  ({ name, files }: ReleasedProject) => {
    const golden = filesOf(join(goldenRoot, name));

    test('keeps all of them, without conflicts', async () => {
      const edited = withEdits(files);
      expect(missingEdits(edited)).toEqual([]);
      const updated = await update(edited, { committed: buffers(files) });
      expect(updated.conflicts).toEqual([]);
      expect(missingEdits(updated.files)).toEqual([]);
      expect(updated.record).toEqual(scaffoldOf(golden));
      expect(JSON.parse(updated.files['package.json']!)).toMatchObject({
        dependencies: { 'cron-parser': '5.4.0' },
        devDependencies: {
          ...(JSON.parse(golden['package.json']!) as Manifest).devDependencies,
          zod: '4.1.0',
        },
      });
      expect(updated.files['config/rbac/role.yaml']).toContain('- jobs\n');
    });

    test('has a record afterward, and a second update changes nothing', async () => {
      const once = await update(withEdits(files), { recorded: buffers(scaffoldOf(files)) });
      expect(once.conflicts).toEqual([]);
      const twice = await update(once.files, { recorded: buffers(once.record) });
      expect(twice).toMatchObject({ conflicts: [], notes: [], files: once.files, record: once.record });
    });
  },
);

interface Manifest {
  readonly devDependencies: Readonly<Record<string, string>>;
}

test('what the author and a version both rewrote is a conflict, and the manifests wait for its solution', async () => {
  const { files } = releasedProjects[0]!;
  const path = 'src/controllers/job-watcher.controller.ts';
  const edited = { ...files, [path]: files[path]!.replace("reason: 'Reconciled'", "reason: 'Watched'") };
  const updated = await update(edited, { committed: buffers(files) });
  expect(updated.conflicts).toEqual([path]);
  expect(updated.notes).toEqual(['The generated manifests stay unchanged, as the sources have conflicts.']);
  const text = updated.files[path]!;
  const [mine, theirs] = text.split('<<<<<<< yours\n')[1]!.split('=======\n') as [string, string];
  expect(mine).toContain("reason: 'Watched'");
  expect(theirs.split(`>>>>>>> ots ${packageVersion}\n`)[0]).toContain(
    'this.#client.status.patch(JobWatcher, resource,',
  );
});
