import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const installed = fileURLToPath(new URL('../../node_modules', import.meta.url));

/** Links what is installed here into the node_modules of a directory, which it makes: programs and packages, but no caches. @returns its path */
export function linkPackages(directory: string): string {
  const modules = join(directory, 'node_modules');
  mkdirSync(modules);
  const names = readdirSync(installed).filter((name) => name === '.bin' || !name.startsWith('.'));
  for (const name of names) symlinkSync(join(installed, name), join(modules, name));
  return modules;
}
