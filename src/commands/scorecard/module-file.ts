import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import type { TestConfiguration } from '../../olm/scorecard/configuration.ts';

/** The module of a custom test: the entrypoint starts with its path, such as `./tests/scorecard/my.test.ts`. */
export function modulePath({ entrypoint: [first = ''] }: TestConfiguration): string | undefined {
  return /^\.{1,2}\/.*\.(?:ts|js|mjs)$/s.test(first) ? first : undefined;
}

/**
 * Finds a module in the bundle or in the working directory. A bundle from elsewhere may list tests, but its code does not run: the module
 * must be below the working directory.
 *
 * @param name relative to the bundle, or else to the working directory
 * @param bundle absolute
 * @param cwd the working directory, absolute
 * @returns its absolute path, or why it cannot be a test
 */
export async function findModule(
  name: string,
  bundle: string,
  cwd: string,
): Promise<{ readonly file: string } | { readonly problem: string }> {
  if (path.posix.normalize(name).startsWith('../')) return { problem: `${name} leads out of the bundle` };
  for (const directory of [bundle, cwd]) {
    const info = await stat(path.join(directory, name)).catch(() => undefined);
    if (!info) continue;
    if (!info.isFile()) return { problem: `${name} is not a file` };
    const file = await realpath(path.join(directory, name));
    if (!isBelow(file, await realpath(directory)))
      return { problem: `${name} is a link that leads out of the bundle` };
    if (!isBelow(file, await realpath(cwd)))
      return {
        problem: `${name} is not below the working directory: ots does not run code of other bundles`,
      };
    return { file };
  }
  return { problem: `${name} does not exist, neither in the bundle nor in the working directory` };
}

function isBelow(file: string, directory: string): boolean {
  return file.startsWith(directory.endsWith(path.sep) ? directory : `${directory}${path.sep}`);
}
