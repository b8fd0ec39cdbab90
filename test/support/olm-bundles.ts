import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { csvFile, sampleFiles } from '../olm/sample-bundle.ts';
import { temporaryDirectory } from './temporary-directory.ts';

/** What is different in a bundle: texts in its ClusterServiceVersion, and further files. */
export interface BundleChanges {
  readonly version?: string;
  readonly csv?: readonly (readonly [from: string, to: string])[];
  readonly files?: Readonly<Record<string, string>>;
}

/**
 * Writes the sample bundle, `tea.v1.2.3`, with changes. Fails when there is nothing to replace.
 *
 * @param parent of its directory; default: one that is deleted after the test
 * @returns its directory
 */
export function writeBundle(
  { version = '1.2.3', csv = [], files = {} }: BundleChanges = {},
  parent = temporaryDirectory(),
): string {
  const directory = path.join(parent, `bundle-${version}`);
  for (const [file, text] of Object.entries({ ...sampleFiles, ...files })) {
    let content = file === csvFile ? text.replaceAll('1.2.3', version) : text;
    for (const [from, to] of file === csvFile ? csv : []) {
      if (!content.includes(from)) throw new Error(`${file} has no ${from}`);
      content = content.replace(from, to);
    }
    mkdirSync(path.dirname(path.join(directory, file)), { recursive: true });
    writeFileSync(path.join(directory, file), content);
  }
  return directory;
}
