import {
  chmodSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { describe, expect, test } from 'vitest';
import { otsBinary } from '../support/ots-binary.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

// What ots does on Node 20; newer versions of Node have a cache of their own.
const cacheModule = join(otsBinary, '../compile-cache.cjs');
const bundle = join(otsBinary, '../../dist');
const script = `require(${JSON.stringify(cacheModule)})();
const { main } = require(${JSON.stringify(join(bundle, 'cli.cjs'))});
const context = { stdout: process.stdout, stderr: process.stderr, env: {}, cwd: process.cwd() };
main(['manifests', '--help'], context).then((code) => (process.exitCode = code));`;

async function run(temporary: string, env: NodeJS.ProcessEnv = {}): Promise<string> {
  const { stdout } = await execa(process.execPath, ['-e', script], { env: { TMPDIR: temporary, ...env } });
  expect(stdout).toContain('Usage: ots manifests');
  return stdout;
}

const cacheIn = (temporary: string) => join(temporary, `ots-compile-cache-${process.getuid!()}`);
const filesIn = (directory: string) => readdirSync(directory).map((file) => join(directory, file));

describe.skipIf(process.platform === 'win32')('the compile cache', () => {
  test('keeps what was compiled, and the next run compiles nothing', async () => {
    const temporary = temporaryDirectory();
    const first = await run(temporary);
    const build: unknown = JSON.parse(readFileSync(join(bundle, 'build-id.json'), 'utf8'));
    const names = readdirSync(cacheIn(temporary));
    expect(names.filter((name) => !name.startsWith(`${String(build)}-`))).toEqual([]);
    expect(names.map((name) => name.split('-').slice(2).join('-'))).toContain('cli.cjs');
    // A file that is written again is a new one.
    const identities = () => filesIn(cacheIn(temporary)).map((file) => statSync(file).ino);
    const before = identities();
    expect(await run(temporary)).toBe(first);
    expect(identities()).toEqual(before);
  });

  test('the bundle imports nothing by itself, which compiled code cannot do', () => {
    const files = readdirSync(bundle).filter((file) => file.endsWith('.cjs'));
    const importing = files.filter((file) =>
      /\bimport\([`"'][\w@:/-]+[`"']\)/.test(readFileSync(join(bundle, file), 'utf8')),
    );
    expect(importing).toEqual([]);
  });

  test('compiles again what is damaged', async () => {
    const temporary = temporaryDirectory();
    await run(temporary);
    const files = filesIn(cacheIn(temporary));
    const header = (file: string) => readFileSync(file).subarray(0, 4).toString('hex');
    const headers = files.map(header);
    files.forEach((file, index) => {
      if (index % 2 === 0) truncateSync(file, Math.floor(statSync(file).size / 2));
      else writeFileSync(file, Buffer.alloc(10_000, 7));
    });
    const damaged = files.map((file) => statSync(file).ino);
    await run(temporary);
    expect(files.map(header)).toEqual(headers);
    expect(files.filter((file, index) => statSync(file).ino === damaged[index])).toEqual([]);
  });

  test('does not use a directory that others can write to', async () => {
    const temporary = temporaryDirectory();
    mkdirSync(cacheIn(temporary));
    chmodSync(cacheIn(temporary), 0o777);
    await run(temporary);
    expect(filesIn(cacheIn(temporary))).toEqual([]);
  });

  test('does without a cache where it cannot write, or should not', async () => {
    const temporary = temporaryDirectory();
    writeFileSync(cacheIn(temporary), 'a file');
    await run(temporary);
    expect(readFileSync(cacheIn(temporary), 'utf8')).toBe('a file');
    const other = temporaryDirectory();
    await run(other, { NODE_DISABLE_COMPILE_CACHE: '1' });
    expect(readdirSync(other)).toEqual([]);
  });
});
