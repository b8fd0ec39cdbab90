import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { run } from '../support/run.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

let directory: string;
const ots = (...args: string[]) => run(directory, ['catalog', ...args]);

const bundles = ['1.0.0', '2.0.0'].map(
  (version) => `---
schema: olm.bundle
package: brew
name: brew.v${version}
image: registry.example.com/brew-bundle:v${version}
properties:
- type: olm.package
  value: {packageName: brew, version: ${version}}
`,
);
const channel = (replaces: string) => `schema: olm.package
name: brew
defaultChannel: stable
---
schema: olm.channel
package: brew
name: stable
entries:
- name: brew.v1.0.0
- name: brew.v2.0.0
${replaces}`;

/** Writes a catalog whose second version replaces the first one, or nothing. */
function writeCatalog(replaces = '  replaces: brew.v1.0.0\n'): void {
  mkdirSync(join(directory, 'catalog'), { recursive: true });
  writeFileSync(join(directory, 'catalog/brew.yaml'), channel(replaces) + bundles.join(''));
}

beforeEach(() => {
  directory = temporaryDirectory();
  writeCatalog();
});

describe('ots catalog validate', () => {
  test('says that a catalog is valid', async () => {
    expect(await ots('validate', 'catalog')).toEqual({
      code: 0,
      stdout: 'catalog is valid: 1 package, 1 channel, 2 bundles\n',
      stderr: '',
    });
    expect((await ots('validate', 'catalog', '--quiet')).stdout).toBe('');
  });

  test('says what is wrong, and where', async () => {
    writeCatalog('');
    expect(await ots('validate', 'catalog')).toEqual({
      code: 1,
      stdout: `catalog/brew.yaml
  error: the channel "stable" of the package "brew" has 2 heads, which no
    entry replaces or skips: brew.v1.0.0, brew.v2.0.0 (multiple-heads, line 5)

catalog: 1 error
`,
      stderr: '',
    });
  });

  test('says what it did not check', async () => {
    writeFileSync(join(directory, 'catalog/README.md'), '# Brew\nA catalog.\n');
    const { code, stdout } = await ots('validate', 'catalog');
    expect([code, stdout]).toEqual([1, expect.stringContaining('the rest of the catalog was not checked')]);
  });

  test('--json has the same as one document', async () => {
    writeCatalog('');
    const { code, stdout } = await ots('validate', 'catalog', '--json');
    expect([code, JSON.parse(stdout)]).toEqual([
      1,
      {
        directory: 'catalog',
        passed: false,
        files: 1,
        packages: 1,
        channels: 1,
        bundles: 2,
        stage: 'graphs',
        findings: [
          {
            type: 'multiple-heads',
            package: 'brew',
            channel: 'stable',
            detail: expect.any(String),
            file: 'brew.yaml',
            line: 5,
          },
        ],
      },
    ]);
  });

  test.each([
    [[], 2, 'The directory of the catalog is missing'],
    [['nowhere'], 1, '"nowhere" does not exist'],
    [['catalog/brew.yaml'], 1, '"catalog/brew.yaml" is not a directory'],
    [['catalog', 'more'], 2, 'Too many arguments'],
  ])('refuses %j', async (args, code, message) => {
    const result = await ots('validate', ...args);
    expect([result.code, result.stdout]).toEqual([code, '']);
    expect(result.stderr).toMatch(/^error: .*\nhint: .*\n$/);
    expect(result.stderr).toContain(message);
  });
});

describe('ots catalog graph', () => {
  test('draws as text', async () => {
    expect(await ots('graph', 'catalog')).toEqual({
      code: 0,
      stdout: 'brew, channel stable (default)\n\n  ◉ brew.v2.0.0  head\n  │\n  ● brew.v1.0.0\n',
      stderr: '',
    });
  });

  test('draws graphs that are wrong, and says so', async () => {
    writeCatalog('');
    const { code, stdout, stderr } = await ots('graph', 'catalog');
    expect([code, stdout.match(/◉/g)?.length]).toEqual([0, 2]);
    expect(stderr).toBe('warning: The catalog has 1 error: run ots catalog validate catalog\n');
  });

  test('writes SVG to a file, unless that is a dry run or the file has it already', async () => {
    const file = join(directory, 'graph.svg');
    expect((await ots('graph', 'catalog', '-o', 'graph.svg', '--dry-run')).stdout).toBe(
      'would create graph.svg\n',
    );
    expect(existsSync(file)).toBe(false);
    expect((await ots('graph', 'catalog', '-o', 'graph.svg')).stdout).toBe('create graph.svg\n');
    const svg = readFileSync(file, 'utf8');
    expect(svg).toMatch(/^<svg .*brew\.v2\.0\.0.*<\/svg>\n$/s);
    expect((await ots('graph', 'catalog', '-o', 'graph.svg')).stdout).toBe('keep graph.svg\n');
    expect((await ots('graph', 'catalog', '-o', '-')).stdout).toBe(svg);
    expect(readdirSync(directory)).toEqual(['catalog', 'graph.svg']);
  });

  test('--json has the nodes and edges', async () => {
    const { graphs } = JSON.parse((await ots('graph', 'catalog', '--json')).stdout);
    expect(graphs).toMatchObject([
      {
        package: 'brew',
        channel: 'stable',
        isDefault: true,
        nodes: [
          { name: 'brew.v2.0.0', role: 'head' },
          { name: 'brew.v1.0.0', role: 'chain' },
        ],
        edges: [{ from: 'brew.v1.0.0', to: 'brew.v2.0.0', kind: 'replaces' }],
      },
    ]);
  });

  test.each([
    [['--channel', 'fast'], 'The catalog has no channel "fast"', 'Its channels are brew/stable.'],
    [['--package', 'tea', '--channel', 'fast'], 'no channel "fast" in a package "tea"', 'brew/stable'],
    [['--output', 'none/graph.svg'], 'none does not exist', 'choose another file'],
    [['--output', 'catalog'], 'catalog is a directory', 'Choose a file'],
  ])('refuses %j', async (args, message, hint) => {
    const { code, stdout, stderr } = await ots('graph', 'catalog', ...args);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^error: .*\nhint: .*\n$/);
    expect(stderr).toContain(message);
    expect(stderr).toContain(hint);
  });

  test('does not draw what it cannot read', async () => {
    writeFileSync(join(directory, 'catalog/b.yaml'), 'schema: a\nb: c: d\n');
    const { code, stderr } = await ots('graph', 'catalog');
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^error: b\.yaml: .*\nhint: Run ots catalog validate/),
    ]);
  });
});
