import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { copySync, removeSync } from 'fs-extra/esm';
import { describe, expect, test } from 'vitest';
import { filesOf } from './support/files-of.ts';
import { goldenProjects } from './support/golden-projects.ts';
import { run } from './support/run.ts';
import { temporaryDirectory } from './support/temporary-directory.ts';

const goldenRoot = fileURLToPath(new URL('golden/', import.meta.url));

/** `npm run golden` writes the projects that are compared here otherwise. */
const updating = process.env['MODE'] === 'update-golden';

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
      removeSync(join(directory, 'vendor'));
      copySync(directory, golden);
    }
    expect(filesOf(golden)).toEqual(filesOf(directory));
  });
});
