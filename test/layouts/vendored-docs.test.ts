import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { parseTarGzip } from 'nanotar';
import { describe, expect, test } from 'vitest';
import { vendoredLibraries, packPackage } from '../../src/layouts/typescript/pack-package.ts';

const root = new URL('../../', import.meta.url);

/** The files of all packages that travel in a project, as they are below node_modules once they are installed. */
async function installed(): Promise<Map<string, string>> {
  const packages = [
    ['ots', root],
    ...vendoredLibraries.map((name) => [name, new URL(`packages/${name.replace('ots-', '')}/`, root)]),
  ] as [string, URL][];
  const files = new Map<string, string>();
  for (const [name, directory] of packages) {
    for (const entry of await parseTarGzip(packPackage(directory).content)) {
      files.set(entry.name.replace(/^package/, name), entry.name.endsWith('.md') ? entry.text : '');
    }
  }
  return files;
}

const files = await installed();
const exists = (path: string) =>
  [...files.keys()].some((file) => file === path || file.startsWith(`${path}/`));

describe('documentation that travels in a project', () => {
  const pages = [...files].filter(([path]) => path.endsWith('.md'));

  test('contains the guides of the generator and of the library', () => {
    expect(pages.map(([path]) => path)).toEqual(
      expect.arrayContaining([
        'ots/README.md',
        'ots/docs/manifests.md',
        'ots/docs/runtime/getting-started.md',
        'ots-runtime/README.md',
        'ots-apiserver/README.md',
        'ots-testing/README.md',
        'ots-kubernetes/README.md',
      ]),
    );
  });

  test.each(pages)('%s has no broken links', (path, text) => {
    const prose = text.replaceAll(/^```[^]*?^```$/gm, '').replaceAll(/`[^`\n]*`/g, '');
    const links = Array.from(prose.matchAll(/\]\(([^)\s#]+)(?:#[^)]*)?\)/g), ([, link]) => link!);
    const relative = links.filter((link) => !/^[a-z]+:/.test(link));
    const broken = relative.filter((link) => !exists(posix.join(posix.dirname(path), link)));
    expect(broken).toEqual([]);
  });

  test.each(['README.md', 'AGENTS.md'])('is where the %s of a project links to', (name) => {
    const text = readFileSync(new URL(`test/golden/jobwatcher/${name}`, root), 'utf8');
    const named = Array.from(text.matchAll(/node_modules\/(ots[^\s`]*[^\s`/])\/?`/g), ([, path]) => path!);
    expect(named).toContain('ots/docs/manifests.md');
    expect(named).toContain('ots/docs/runtime');
    expect(named.filter((path) => !exists(path))).toEqual([]);
  });
});
