import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { run } from '../support/run.ts';
import { snapshot } from '../support/snapshot.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const otsBinary = fileURLToPath(new URL('../../bin/ots.cjs', import.meta.url));
const kinds = ['Ant', 'Bee', 'Cat', 'Dog', 'Emu', 'Fox', 'Gnu', 'Hen', 'Ibis', 'Jay'];

test('ten commands at once all succeed or fail cleanly', { timeout: 120_000 }, async () => {
  const directory = temporaryDirectory();
  await run(directory, ['init', '--skip-install', '--domain', 'example.com', '--project-name', 'zoo']);
  const runs = await Promise.all(
    kinds.map((kind) =>
      execa(
        process.execPath,
        [otsBinary, 'create', 'api', '--group', 'zoo', '--version', 'v1', '--kind', kind],
        {
          cwd: directory,
          reject: false,
        },
      ),
    ),
  );

  const landed = kinds.filter((_, index) => runs[index]?.exitCode === 0);
  for (const { exitCode, stderr } of runs)
    if (exitCode !== 0) expect(stderr).toMatch(/^error: .+\nhint: .+$/);
  const project = parse(readFileSync(join(directory, 'PROJECT'), 'utf8')) as {
    resources: { kind: string }[];
  };
  expect(project.resources.map(({ kind }) => kind).toSorted()).toEqual(landed);
  const controllers = readFileSync(join(directory, 'src/controllers/index.ts'), 'utf8');
  for (const kind of kinds) {
    const there = landed.includes(kind);
    expect(controllers.includes(`setup${kind}Controller,`), kind).toBe(there);
    expect(Object.keys(snapshot(directory)).includes(`src/api/v1/${kind.toLowerCase()}.ts`), kind).toBe(
      there,
    );
  }
  expect(landed.length).toBeGreaterThan(0);
  expect(Object.keys(snapshot(directory)).filter((path) => path.startsWith('.ots/'))).toEqual([]);
});
