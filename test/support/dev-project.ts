import { mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { copySync } from 'fs-extra/esm';
import { temporaryDirectory } from './temporary-directory.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** A copy of an example that commands can run in and change: its packages are those of this repository. */
export class DevProject {
  readonly directory: string;

  constructor(example: string) {
    this.directory = join(temporaryDirectory(), example);
    copySync(join(root, 'examples', example), this.directory);
    const modules = join(this.directory, 'node_modules');
    mkdirSync(modules);
    const names = readdirSync(join(root, 'node_modules')).filter((name) => name !== '.cache');
    for (const name of names) symlinkSync(join(root, 'node_modules', name), join(modules, name));
  }

  read(path: string): string {
    return readFileSync(join(this.directory, path), 'utf8');
  }

  /** Saves a file as an author does. @throws if the text to replace is not there */
  edit(path: string, before: string | RegExp, after: string): void {
    const text = this.read(path);
    const isThere = typeof before === 'string' ? text.includes(before) : before.test(text);
    if (!isThere) throw new Error(`${path} does not contain ${String(before)}`);
    writeFileSync(join(this.directory, path), text.replace(before, after));
  }
}
