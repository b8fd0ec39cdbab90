import { readFileSync, readdirSync } from 'node:fs';
import { PACKAGE_ROOT } from '../../package-root.ts';
import type { Tree } from '../../scaffold/tree.ts';
import { VERSION } from '../../version.ts';

const ARCHIVES = new URL('dist/vendor/', PACKAGE_ROOT);
const OWN_ARCHIVE = `ots-${VERSION}.tgz`;

/**
 * Stages the packages that a project installs from its own vendor/ folder while they are not on a registry: ots and its
 * libraries, as the build packed them.
 */
export async function stageVendor(tree: Tree): Promise<void> {
  const archives = readdirSync(ARCHIVES);
  for (const file of archives) tree.generate(`vendor/${file}`, readFileSync(new URL(file, ARCHIVES)));
  if (archives.includes(OWN_ARCHIVE)) return;
  // An archive cannot hold itself, so an ots that was installed from one packs itself: to the same bytes.
  const { packPackage } = await import('./pack-package.ts');
  tree.generate(`vendor/${OWN_ARCHIVE}`, packPackage(PACKAGE_ROOT).content);
}
