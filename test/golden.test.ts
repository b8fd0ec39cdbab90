import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { copySync, removeSync } from 'fs-extra/esm';
import { describe, expect, test } from 'vitest';
import { scaffoldedFiles } from '../src/layouts/typescript/unedited-project.ts';
import { generateManifests } from '../src/manifests/generate-manifests.ts';
import { ProjectFile } from '../src/project/project-file.ts';
import { recordFile } from '../src/scaffold/scaffold-record.ts';
import { Tree } from '../src/scaffold/tree.ts';
import { filesOf } from './support/files-of.ts';
import { goldenProjects } from './support/golden-projects.ts';
import { run } from './support/run.ts';
import { temporaryDirectory } from './support/temporary-directory.ts';

const goldenRoot = fileURLToPath(new URL('golden/', import.meta.url));

/** `npm run golden` writes the projects that are compared here otherwise. */
const updating = process.env['MODE'] === 'update-golden';

/** What `ots generate kustomize-manifests` adds are the answers of the author. */
const describedByAuthor = /^config\/manifests\/bases\//;

function recordOf(directory: string): Record<string, string> {
  const record = scaffoldedFiles(new Tree(directory)) ?? new Map<string, Buffer>();
  return Object.fromEntries([...record].map(([path, content]) => [path, content.toString()]));
}

function uneditedFilesOf(directory: string): Record<string, string> {
  const { PROJECT, ...files } = filesOf(directory);
  const generated = generateManifests(new Tree(directory), ProjectFile.parse(PROJECT!).project).files;
  return Object.fromEntries(
    Object.entries(files).filter(([path]) => !generated.has(path) && !describedByAuthor.test(path)),
  );
}

describe.each(goldenProjects)('golden project $name', ({ name, steps }) => {
  test('is what its commands make', async () => {
    const directory = join(temporaryDirectory(), name);
    mkdirSync(directory);
    for (const step of steps) {
      expect(await run(directory, step), step.join(' ')).toMatchObject({ code: 0, stderr: '' });
    }
    const golden = join(goldenRoot, name);
    if (updating) {
      removeSync(golden);
      copySync(directory, golden);
      for (const path of ['vendor', recordFile]) removeSync(join(golden, path));
    }
    expect(filesOf(golden)).toEqual(filesOf(directory));
    expect(recordOf(directory)).toEqual(uneditedFilesOf(directory));
  });
});
