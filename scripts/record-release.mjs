// Keeps the golden projects of a released version, which test/update brings to later ones:
// node scripts/record-release.mjs <name> <git revision>
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { brotliCompressSync } from 'node:zlib';

const [name, revision] = process.argv.slice(2);
if (!/^[\w.-]+$/.test(name ?? '') || revision === undefined)
  throw new Error('usage: node scripts/record-release.mjs <name> <git revision>');

const git = (...args) => execFileSync('git', args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
const directory = 'test/golden/';
const paths = git('ls-tree', '-r', '-z', '--name-only', '--full-tree', revision, directory)
  .split('\0')
  .filter(Boolean);
const projects = {};
for (const path of paths) {
  const [project, ...rest] = path.slice(directory.length).split('/');
  projects[project] ??= {};
  projects[project][rest.join('/')] = git('show', `${revision}:${path}`);
}
const file = new URL(`../test/update/releases/${name}.json.br`, import.meta.url);
writeFileSync(file, brotliCompressSync(JSON.stringify(projects)));
