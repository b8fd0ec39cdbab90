import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { copySync } from 'fs-extra/esm';
import { linkPackages } from './link-packages.ts';
import { temporaryDirectory } from './temporary-directory.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** What an author changes in a file, with one save. */
export interface Edit {
  readonly path: string;
  /** Texts, and what replaces the first place where they are. */
  readonly replacements: readonly (readonly [before: string, after: string])[];
}

/** A copy of an example that commands can run in and change: its packages are those of this repository. */
export class DevProject {
  readonly directory: string;

  constructor(example: string) {
    this.directory = join(temporaryDirectory(), example);
    copySync(join(root, 'examples', example), this.directory);
    linkPackages(this.directory);
  }

  read(path: string): string {
    return readFileSync(join(this.directory, path), 'utf8');
  }

  /** Saves a file as an author does. @throws if a text to replace is not there */
  edit({ path, replacements }: Edit): void {
    let text = this.read(path);
    for (const [before, after] of replacements) {
      if (!text.includes(before)) throw new Error(`${path} does not contain ${before}`);
      text = text.replace(before, after);
    }
    const file = join(this.directory, path);
    // As many editors do it: a reader never finds half a file.
    writeFileSync(`${file}~`, text);
    renameSync(`${file}~`, file);
  }

  /** Saves the file as it was before an edit. */
  undo({ path, replacements }: Edit): void {
    const reversed = replacements.map(([before, after]) => [after, before] as const);
    this.edit({ path, replacements: reversed.toReversed() });
  }
}
