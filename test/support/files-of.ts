import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * What npm and the build write, the packages in vendor/, and the record of the scaffold, whose compressed form depends on the version of Node.
 */
const notOfTheProject = /^(?:(?:vendor|node_modules|dist|coverage)\/|\.ots-scaffold$)/;

/** The files of a project with their content, by their paths in it. Empty if the directory is missing. */
export function filesOf(directory: string): Record<string, string> {
  if (!existsSync(directory)) return {};
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const paths = entries
    .map((entry) => join(entry.parentPath, entry.name).slice(directory.length + 1))
    .toSorted();
  return Object.fromEntries(
    paths
      .filter((path) => !notOfTheProject.test(path))
      .map((path) => [path, readFileSync(join(directory, path), 'utf8')]),
  );
}
