import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import type { TestConfiguration } from '../../olm/scorecard/configuration.ts';

/** The module of a custom test: the entrypoint starts with its path, such as `./tests/scorecard/my.test.ts`. */
export function modulePath({ entrypoint: [first = ''] }: TestConfiguration): string | undefined {
  return /^\.{1,2}\/.*\.(?:ts|js|mjs)$/s.test(first) ? first : undefined;
}

/**
 * Finds a module in one of some directories.
 *
 * @param name relative to each of them
 * @param directories absolute; the first one that has the file counts
 * @returns its absolute path, or why it cannot be a test
 */
export async function findModule(
  name: string,
  directories: readonly string[],
): Promise<{ readonly file: string } | { readonly problem: string }> {
  if (path.posix.normalize(name).startsWith('../')) return { problem: `${name} leads out of the bundle` };
  for (const directory of directories) {
    const info = await stat(path.join(directory, name)).catch(() => undefined);
    if (!info) continue;
    if (!info.isFile()) return { problem: `${name} is not a file` };
    const root = await realpath(directory);
    const file = await realpath(path.join(directory, name));
    if (!file.startsWith(`${root}${path.sep}`))
      return { problem: `${name} is a link that leads out of the bundle` };
    return { file };
  }
  return { problem: `${name} does not exist, neither in the bundle nor in the working directory` };
}
