// Measures the inner loop of `ots dev` on a copy of examples/memcached beside its limits. Run `npm run build` before.
// Usage: npm run bench:dev -- [--saves=9]
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, readdir, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { copy, remove } from 'fs-extra/esm';
import { median } from './median.mjs';

const { values } = parseArgs({ options: { saves: { type: 'string', default: '9' } } });
const root = fileURLToPath(new URL('../', import.meta.url));
const parent = await mkdtemp(join(tmpdir(), 'ots-bench-dev-'));
const project = join(parent, 'memcached');
const source = join(project, 'src/controllers/memcached.controller.ts');
const limits = { start: 3000, save: 1000, page: 60 };

/** A copy of the example, with the packages of this repository. */
async function makeProject() {
  await copy(join(root, 'examples/memcached'), project);
  await mkdir(join(project, 'node_modules'));
  const names = (await readdir(join(root, 'node_modules'))).filter((name) => name !== '.cache');
  for (const name of names)
    await symlink(join(root, 'node_modules', name), join(project, 'node_modules', name));
}

/** `ots dev`, and a way to wait for what it says. */
function startDev() {
  const child = spawn(process.execPath, [join(root, 'bin/ots.cjs'), 'dev', '--json'], {
    cwd: project,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let waiting = [];
  createInterface(child.stdout).on('line', (line) => {
    const change = JSON.parse(line);
    waiting = waiting.filter(({ matches, resolve }) => !matches(change) || void resolve());
  });
  const until = (matches) => new Promise((resolve) => waiting.push({ matches, resolve }));
  return { child, until };
}

/** The first reconcile that ends after the operator has started so often. */
function firstReconcile(until, starts) {
  let isCurrent = starts === 1;
  return until(({ type, value }) => {
    if (type === 'operator' && value.starts === starts) isCurrent = true;
    return isCurrent && type === 'reconcile' && value.result !== undefined;
  });
}

/** Time in milliseconds beside its limit. */
function row(name, measured, limit, unit) {
  console.log(
    `${name.padEnd(44)} ${`${Math.round(measured)} ${unit}`.padStart(9)} ${`${limit} ${unit}`.padStart(9)} ${(measured / limit).toFixed(2).padStart(6)}`,
  );
}

async function pageSize() {
  const directory = join(root, 'dist/dev-page');
  const files = await readdir(directory);
  const sizes = await Promise.all(
    files.map(async (file) => gzipSync(await readFile(join(directory, file))).length),
  );
  return sizes.reduce((sum, size) => sum + size, 0) / 1024;
}

try {
  await makeProject();
  console.log(`${''.padEnd(44)} ${'measured'.padStart(9)} ${'limit'.padStart(9)} ${'ratio'.padStart(6)}`);
  const startedAt = performance.now();
  const { child, until } = startDev();
  await firstReconcile(until, 1);
  row('start to the first reconcile', performance.now() - startedAt, limits.start, 'ms');
  const text = await readFile(source, 'utf8');
  const saves = [];
  for (let save = 1; save <= Number(values.saves); save += 1) {
    const reconciled = firstReconcile(until, save + 1);
    const savedAt = performance.now();
    await writeFile(source, `${text}\n// ${save}\n`);
    await reconciled;
    saves.push(performance.now() - savedAt);
  }
  row(`save to the first reconcile (median of ${saves.length})`, median(saves), limits.save, 'ms');
  row('the page, gzipped', await pageSize(), limits.page, 'kB');
  child.kill('SIGINT');
  await once(child, 'exit');
} finally {
  await remove(parent);
}
