import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { derivedNameSuffixes } from '../../src/project/names/derived-names.ts';
import { reservedNames } from '../../src/project/names/reserved-names.ts';

const root = fileURLToPath(new URL('../../templates/typescript/', import.meta.url));
const templates = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((path) =>
  path.endsWith('.hbs'),
);

test('no template imports a name that a kind may have', () => {
  const free: string[] = [];
  for (const path of templates.filter((name) => name.endsWith('.ts.hbs'))) {
    const imports = readFileSync(root + path, 'utf8').matchAll(/^import (?:type )?\{(.*)\} from/gm);
    for (const [, list = ''] of imports) {
      const words = list.replaceAll(/\{\{.*?\}\}/g, '').split(/\W+/);
      const names = words.filter((word) => /^[A-Z]/.test(word) && !['Hub', 'Spoke'].includes(word));
      free.push(
        ...names.filter((name) => !reservedNames.scaffold.includes(name)).map((name) => `${path}: ${name}`),
      );
    }
  }

  expect(free).toEqual([]);
});

test('no object of config/ has a longer name than those that bound the project name', () => {
  const longest = Math.max(...derivedNameSuffixes.map((suffix) => suffix.length));
  const names = templates
    .filter((path) => path.includes('config/'))
    .flatMap((path) =>
      [...readFileSync(root + path, 'utf8').matchAll(/^ {2}name: ([a-z-]+)$/gm)].map(([, name]) => name!),
    );

  expect(names).toContain('controller-manager');
  expect(names.filter((name) => name.length > longest)).toEqual([]);
});
