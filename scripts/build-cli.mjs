// Bundles the CLI into dist/ and packs the libraries that `ots init` puts into a project's vendor/. Part of the build,
// after tsc has checked everything. Two hundred modules in one file start in a fraction of the time; commands that are
// imported when they run stay files of their own, and so do all dependencies.
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const ROOT = new URL('../', import.meta.url);
const DIST = new URL('dist/', ROOT);
const { dependencies } = JSON.parse(await readFile(new URL('package.json', ROOT), 'utf8'));
const isDependency = (id) => Object.keys(dependencies).some((name) => id === name || id.startsWith(`${name}/`));

await rm(DIST, { recursive: true, force: true });
const bundle = await rolldown({
  cwd: fileURLToPath(ROOT),
  input: {
    cli: 'src/cli.ts',
    // For this script and for the tests that kill the CLI.
    'pack-package': 'src/layouts/typescript/pack-package.ts',
    'file-system': 'src/scaffold/file-system.ts',
  },
  platform: 'node',
  external: isDependency,
});
await bundle.write({ dir: fileURLToPath(DIST), format: 'esm' });
await bundle.close();

const { VENDORED_LIBRARIES, packPackage } = await import(new URL('pack-package.js', DIST).href);
await mkdir(new URL('vendor/', DIST));
for (const name of VENDORED_LIBRARIES) {
  const { file, content } = packPackage(new URL(`packages/${name.replace('ots-', '')}/`, ROOT));
  await writeFile(new URL(`vendor/${file}`, DIST), content);
}
