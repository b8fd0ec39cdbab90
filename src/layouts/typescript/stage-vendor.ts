import { readFileSync, readdirSync } from 'node:fs';
import { PACKAGE_ROOT } from '../../package-root.ts';
import type { Tree } from '../../scaffold/tree.ts';
import { packPackage } from './pack-package.ts';

const LIBRARIES = new URL('dist/vendor/', PACKAGE_ROOT);

/**
 * Stages the packages that a project installs from its own vendor/ folder, as long as they are on no registry: the
 * libraries as they were packed when ots was built, and this ots itself.
 */
export function stageVendor(tree: Tree): void {
  for (const file of readdirSync(LIBRARIES)) {
    tree.generate(`vendor/${file}`, readFileSync(new URL(file, LIBRARIES)));
  }
  const { file, content } = packPackage(PACKAGE_ROOT);
  tree.generate(`vendor/${file}`, content);
}
