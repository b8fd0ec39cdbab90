import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { tagDefinitions } from '../../src/manifests/tag-syntax/registry.ts';
import { apiSource } from './api-source.ts';
import { generate } from './generate.ts';

// Every example of docs/manifests.md: a block of TypeScript and, after it, the block of YAML that it makes.

interface Example {
  readonly heading: string;
  readonly line: number;
  readonly source: string;
  readonly yaml: string;
}

const referenceUrl = new URL('../../docs/manifests.md', import.meta.url);
const reference = readFileSync(referenceUrl, 'utf8');

function readExamples(): Example[] {
  const examples: Example[] = [];
  let heading = '';
  let source: string | undefined;
  for (const match of reference.matchAll(
    /^#+ (?<heading>.*)$|^```(?<language>ts|yaml)\n(?<code>[^]*?)^```$/gm,
  )) {
    const { heading: title, language, code = '' } = match.groups!;
    if (title !== undefined) heading = title;
    else if (language === 'ts') source = code;
    else {
      const line = reference.slice(0, match.index).split('\n').length;
      if (source === undefined) throw new Error(`line ${line}: YAML without the TypeScript it is made from`);
      examples.push({ heading, line, source, yaml: code });
      source = undefined;
    }
  }
  return examples;
}

/** An example that declares no kind is about the interface `Spec`; comments that stand alone are files of their own. */
function filesOf(source: string): Record<string, string> {
  const parts = source.split(/^\/\/ (src\/\S+\.ts)\n/m);
  if (parts.length > 1) {
    const files: Record<string, string> = {};
    for (let i = 1; i < parts.length; i += 2) files[parts[i]!] = parts[i + 1]!;
    return files;
  }
  if (!/\bSpec\b/.test(source) || source.includes('extends KubernetesObject'))
    return { 'src/api/v1/example.ts': source };
  const imports = source.split('\n').filter((line) => line.startsWith('import '));
  const types = source.split('\n').filter((line) => !line.startsWith('import '));
  return {
    'src/api/v1/foo.ts': apiSource({ imports: imports.join('\n'), types: types.join('\n') }).replace(
      /export interface FooSpec \{[^]*?\n\}/,
      'type FooSpec = Spec;',
    ),
  };
}

function tagTable(): string {
  const rows = tagDefinitions.map(({ name, aliases = [], markers = [], summary }) => {
    const tags = [name, ...aliases].filter((tag) => !tag.includes(':')).map((tag) => `\`@${tag}\``);
    const cells = [tags.join(', '), markers.map((marker) => `\`+${marker}\``).join(', '), summary];
    return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |\n`;
  });
  return `\n| tag | marker | meaning |\n| --- | --- | --- |\n${rows.join('')}\n`;
}

function expected(example: Example): { path: string; value: unknown } {
  const path = /^# (\S+\.yaml)\n/.exec(example.yaml)?.[1];
  return { path: path ?? '', value: parse(example.yaml) };
}

describe('docs/manifests.md', () => {
  test('has every tag in an example', () => {
    const sources = readExamples()
      .map(({ source }) => source)
      .join('');
    const missing = tagDefinitions.filter(({ name, aliases = [], markers = [] }) => {
      const spellings = [
        ...[name, ...aliases].map((tag) => `@${tag}`),
        ...markers.map((marker) => `+${marker}`),
      ];
      return !spellings.some(
        (spelling) => sources.search(new RegExp(`${spelling.replaceAll(/[+.]/g, '\\$&')}\\b`)) >= 0,
      );
    });
    expect(missing.map(({ name }) => name)).toEqual([]);
  });

  // Brought up to date by `npm run golden`.
  test('lists every tag in every spelling', () => {
    const [, before, table, after] = /^([^]*<!-- tags -->\n)([^]*)(<!-- \/tags -->[^]*)$/.exec(reference)!;
    if (process.env['MODE'] === 'update-golden' && table !== tagTable())
      writeFileSync(referenceUrl, before + tagTable() + after);
    else expect(table).toBe(tagTable());
  });

  test.each(readExamples())('line $line: $heading', (example) => {
    const files = generate(filesOf(example.source));
    const { path, value } = expected(example);
    if (path) return expect(files[path]?.[0]).toMatchObject(value as object);
    const crd = files['config/crd/bases/a.example.com_foos.yaml']![0];
    const { spec } = crd.spec.versions[0].schema.openAPIV3Schema.properties;
    return expect(spec.properties).toEqual(value);
  });
});
