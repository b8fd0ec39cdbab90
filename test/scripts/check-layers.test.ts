import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const script = fileURLToPath(new URL('../../scripts/check-layers.mjs', import.meta.url));

/** Runs the check in a directory on a tree `src` with these files. */
async function check(files: Record<string, string>): Promise<{ code: number | undefined; stderr: string }> {
  const cwd = temporaryDirectory();
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(cwd, 'src', name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  const { exitCode, stderr } = await execa('node', [script, 'src'], { cwd, reject: false });
  return { code: exitCode, stderr };
}

test('a ring between folders is shown with the line of each import', async () => {
  const { code, stderr } = await check({
    'index.ts': `export { a } from './a/a.ts';\n`,
    'a/a.ts': `import {\n  b,\n} from '../b/b.ts';\nexport const a = b;\n`,
    'b/b.ts': `import { readFile } from 'node:fs/promises';\nexport { c as b } from '../c/deep/c.ts';\nvoid readFile;\n`,
    'c/deep/c.ts': `export const c = 1;\nexport const load = () => import('../../a/a.ts');\n`,
  });
  expect(code).toBe(1);
  expect(stderr).toBe(`Folders import each other in a ring:

src: a -> b -> c -> a
  src/a/a.ts:3 imports b into a
  src/b/b.ts:2 imports c into b
  src/c/deep/c.ts:2 imports a into c

Move what the lower folder needs into it or below it, or let it declare an interface that the upper one implements.`);
});

test('each ring is shown once', async () => {
  const { stderr } = await check({
    'a/a.ts': `import '../b/b.ts';\n`,
    'b/b.ts': `import '../a/a.ts';\n`,
    'c/c.ts': `import '../shared.ts';\nimport '../a/a.ts';\n`,
    'shared.ts': `import './c/c.ts';\n`,
  });
  expect(stderr.match(/^src: .*$/gm)).toEqual(['src: a -> b -> a', 'src: c -> shared.ts -> c']);
});

test('types, tests and imports within a folder make no ring', async () => {
  const result = await check({
    'a/a.ts': `import { b } from '../b/b.ts';\nimport './same.ts';\nexport interface A { b: typeof b }\n`,
    'a/same.ts': `import './a.ts';\n`,
    'b/b.ts': `import type { A } from '../a/a.ts';\nexport const b: A | undefined = undefined;\n`,
    'b/types.ts': `export type { A } from '../a/a.ts';\nexport { type A as B } from '../a/a.ts';\n`,
    'b/b.test.ts': `import '../a/a.ts';\n`,
  });
  expect(result).toEqual({ code: 0, stderr: '' });
});
