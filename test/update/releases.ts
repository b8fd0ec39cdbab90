import { readFileSync, readdirSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';

const directory = new URL('releases/', import.meta.url);

/** A project as a released version of ots made it. */
export interface ReleasedProject {
  /** The day on which the version landed, or its number. */
  readonly release: string;
  /** The name of a golden project. */
  readonly name: string;
  /** Contents by path, without vendor/. */
  readonly files: Readonly<Record<string, string>>;
}

/** The golden projects of all released versions, which scripts/record-release.mjs keeps. */
export const releasedProjects: readonly ReleasedProject[] = readdirSync(directory).flatMap((file) => {
  const text = brotliDecompressSync(readFileSync(new URL(file, directory))).toString('utf8');
  const projects = JSON.parse(text) as Record<string, Record<string, string>>;
  return Object.entries(projects).map(([name, files]) => ({
    release: file.replace(/\.json\.br$/, ''),
    name,
    files,
  }));
});

/** The files of the author in an unedited project, as a record has them. */
export function scaffoldOf(files: Readonly<Record<string, string>>): Record<string, string> {
  const generated = /^(?:PROJECT|config\/(?:crd\/bases\/.*|rbac\/role\.yaml|webhook\/manifests\.yaml))$/;
  return Object.fromEntries(Object.entries(files).filter(([path]) => !generated.test(path)));
}
