// Packs the libraries that `ots init` puts into a project's vendor/ folder. Part of the build.
import { mkdir, writeFile } from 'node:fs/promises';
import { VENDORED_LIBRARIES, packPackage } from '../dist/layouts/typescript/pack-package.js';

const target = new URL('../dist/vendor/', import.meta.url);
await mkdir(target, { recursive: true });
for (const name of VENDORED_LIBRARIES) {
  const { file, content } = packPackage(new URL(`../packages/${name.replace('ots-', '')}/`, import.meta.url));
  await writeFile(new URL(file, target), content);
}
