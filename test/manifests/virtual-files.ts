import type { SourceFiles } from '../../src/manifests/source/source-files.ts';

/** A project in memory: path to text. */
export function virtualFiles(files: Readonly<Record<string, string>>): SourceFiles {
  const entries = new Map(Object.entries(files));
  return {
    list: (dir) => [...entries.keys()].filter((path) => path.startsWith(`${dir}/`)),
    read: (path) => entries.get(path),
  };
}
