import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { packageRoot } from '../package-root.ts';
import { type CompiledTemplate, compileTemplate } from './compile-template.ts';

// The build replaces this module with one that contains all templates, compiled: see scripts/build-cli.mjs.
const directory = fileURLToPath(new URL('templates/', packageRoot));
const suffix = '.hbs';

/** Names of all templates: their paths below templates/, without `.hbs`; sorted. */
export function templateNames(): string[] {
  return readdirSync(directory, { encoding: 'utf8', recursive: true })
    .filter((path) => path.endsWith(suffix))
    .map((path) => path.slice(0, -suffix.length).replaceAll('\\', '/'))
    .toSorted();
}

/** @throws if the template does not exist */
export function compiledTemplate(name: string): CompiledTemplate {
  return compileTemplate(readFileSync(`${directory}${name}${suffix}`, 'utf8'));
}
