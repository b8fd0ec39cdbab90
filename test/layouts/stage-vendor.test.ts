import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { ensureDirSync, outputFileSync, removeSync } from 'fs-extra/esm';
import { parseTarGzip } from 'nanotar';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { vendoredLibraries, packPackage } from '../../src/layouts/typescript/pack-package.ts';
import { assertFreshBuild } from '../support/assert-fresh-build.ts';
import { run } from '../support/run.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const root = new URL('../../', import.meta.url);

// Below node_modules, where an installed ots finds the packages it depends on.
const cache = fileURLToPath(new URL('node_modules/.cache/', root));
ensureDirSync(cache);
const installed = mkdtempSync(join(cache, 'installed-'));
afterAll(() => removeSync(installed));

const init = ['init', '--skip-install', '--domain', 'example.com', '--project-name', 'sample'];

const hash = (content: Buffer) => createHash('sha256').update(content).digest('hex');

/** The archives in the vendor/ folder of a project: the hash of each by its name. */
function archivesOf(project: string): Record<string, string> {
  const vendor = join(project, 'vendor');
  return Object.fromEntries(
    readdirSync(vendor).map((file) => [file, hash(readFileSync(join(vendor, file)))]),
  );
}

beforeAll(assertFreshBuild);

test('a project gets the archives that the build packed, and packing gives the same bytes', async () => {
  const project = temporaryDirectory();
  expect(await run(project, init)).toMatchObject({ code: 0, stderr: '' });
  const libraries = vendoredLibraries.map((name) => new URL(`packages/${name.replace('ots-', '')}/`, root));
  const packed = [...libraries, root].map(packPackage).map(({ file, content }) => [file, hash(content)]);
  expect(archivesOf(project)).toEqual(Object.fromEntries(packed));
});

test('an ots that was installed from such an archive gives a project the same bytes', async () => {
  for (const { type, name, data } of await parseTarGzip(packPackage(root).content)) {
    if (type === 'file') outputFileSync(join(installed, name), data!);
  }
  const [here, there] = [temporaryDirectory(), temporaryDirectory()];
  expect(await run(here, init)).toMatchObject({ code: 0, stderr: '' });
  await execa(process.execPath, [join(installed, 'package/bin/ots.cjs'), ...init], { cwd: there });
  expect(archivesOf(there)).toEqual(archivesOf(here));
});
