import { readFileSync, readdirSync } from 'node:fs';
import { packageRoot } from '../../package-root.ts';
import type { Tree } from '../../scaffold/tree.ts';
import { packageVersion } from '../../version.ts';

const archiveDirectory = new URL('dist/vendor/', packageRoot);
const ownArchive = `ots-${packageVersion}.tgz`;

/**
 * Stages the packages that a project installs from its vendor/ folder until they are in a registry: ots and
 * its libraries, as the build packed them.
 */
export async function stageVendor(tree: Tree): Promise<void> {
  const archives = readdirSync(archiveDirectory);
  for (const file of archives) tree.generate(`vendor/${file}`, readFileSync(new URL(file, archiveDirectory)));
  if (archives.includes(ownArchive)) return;
  // An archive cannot contain itself, so an ots that was installed from one packs itself, to the same bytes.
  const { packPackage } = await import('./pack-package.ts');
  tree.generate(`vendor/${ownArchive}`, packPackage(packageRoot).content);
}
