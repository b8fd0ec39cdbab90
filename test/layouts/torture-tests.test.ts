import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { type EditableProject, copyOf } from '../support/copy-of.ts';
import { type TestProject, testProject } from '../support/test-project.ts';

const file = 'src/controllers/captain.torture.test.ts';
const api = (group: string, version: string, kind: string, flags: string[]): string[] =>
  ['create', 'api', '--group', group, '--version', version, '--kind', kind].concat(flags);
const captain = (version: string, ...flags: string[]): string[] => api('crew', version, 'Captain', flags);
const foreign = (group: string, kind: string, ...flags: string[]): string[] =>
  api(group, 'v1', kind, ['--resource=false', ...flags]);
const has = ({ directory }: EditableProject, path: string): boolean => existsSync(join(directory, path));

let bare: TestProject;
let base: TestProject;
beforeAll(async () => {
  bare = await testProject();
  base = await testProject(captain('v1'));
});

describe('the torture test of a kind', () => {
  test('runs all controllers and webhooks of the project with its sample', async () => {
    const project = copyOf(base);
    expect(project.read(file)).toContain("import { setupControllers } from './index.ts';");
    expect(project.read(file)).toContain("import { setupWebhooks } from '../webhooks/index.ts';");
    expect(project.read(file)).toContain("sample: 'config/samples/crew_v1_captain.yaml',");
    expect(project.read(file)).not.toContain('namespaced');
  });

  test('knows that the operator works in its own namespace', async () => {
    const project = copyOf(bare);
    await project.succeed('edit', '--namespaced');
    await project.succeed(...captain('v1'));
    expect(project.read(file)).toContain('namespaced: true,');
  });

  test.each([
    ['a kind of Kubernetes', foreign('apps', 'Deployment')],
    ['a kind of another project', foreign('cert-manager', 'Certificate', '--external-api-domain', 'io')],
    ['a kind without a controller', captain('v1', '--controller=false')],
  ])('is not there for %s', async (_, create) => {
    const project = copyOf(bare);
    const { changes } = JSON.parse(await project.succeed(...create, '--json')) as {
      changes: { path: string }[];
    };
    expect(changes.filter(({ path }) => path.includes('torture'))).toEqual([]);
  });

  test('comes with the first controller, also if that has a name, and not without a sample', async () => {
    const project = copyOf(bare);
    await project.succeed(...captain('v1', '--controller=false'));
    const without = copyOf(project);
    await project.succeed(...captain('v1', '--resource=false', '--controller-name', 'rank'));
    expect(has(project, file)).toBe(true);
    rmSync(join(without.directory, 'config/samples/crew_v1_captain.yaml'));
    await without.succeed(...captain('v1', '--resource=false'));
    expect(has(without, file)).toBe(false);
  });

  test('belongs to all controllers of the kind: it stays with edits for another one, and leaves with the last one', async () => {
    const project = copyOf(base);
    const before = project.read(file);
    project.change(file, (text) => text.replace("'10s'", "'1m'"));
    await project.succeed(...captain('v1', '--resource=false', '--controller-name', 'rank'));
    expect(project.read(file)).toBe(before.replace("'10s'", "'1m'"));
    const deletion = captain('v1', '--controller-name').with(0, 'delete');
    await project.succeed(...deletion, 'rank');
    expect(await project.refuse(...deletion, 'captain')).toMatchObject({
      code: 'EDITED_FILES',
      details: { paths: [file] },
    });
    await project.succeed(...deletion, 'captain', '--force');
    expect(has(project, file)).toBe(false);
  });

  test('leaves with the tests of its findings, and not with those of the author', async () => {
    const project = copyOf(base);
    const [found, own] = ['crash-rests', 'own'].map((name) => file.replace('torture', `torture-${name}`));
    project.write(
      found!,
      `import 'ots-testing';\n\n// ots torture found: it writes at rest\ntest('x', () => {});\n`,
    );
    project.write(own!, `import 'ots-testing';\n`);
    await project.succeed(...captain('v1', '--controller-name').with(0, 'delete'), 'captain');
    expect([file, found!, own!].filter((path) => has(project, path))).toEqual([own]);
  });

  test('moves with the tests of its findings when the project gets folders for groups, and back', async () => {
    const project = copyOf(base);
    const found = file.replace('torture', 'torture-crash-rests');
    const text = `import { setupControllers } from './index.ts';\n\n// ots torture found: it writes at rest\n`;
    project.write(found, text);
    await project.succeed('edit', '--multigroup');
    const moved = found.replace('controllers/', 'controllers/crew/');
    expect(has(project, found)).toBe(false);
    expect(project.read(moved)).toBe(text.replace('./index.ts', '../index.ts'));
    await project.succeed('edit', '--multigroup=false');
    expect(project.read(found)).toBe(text);
  });

  test('takes the sample of the version that the controller works with', async () => {
    const project = copyOf(base);
    await project.succeed(...captain('v2'));
    expect(project.read(file)).toContain('crew_v1_captain.yaml');
    await project.succeed(...captain('v1').with(0, 'delete'));
    expect(project.read(file)).toContain("sample: 'config/samples/crew_v2_captain.yaml',");
  });

  test('is written again with --force', async () => {
    const project = copyOf(base);
    const before = project.read(file);
    project.change(file, (text) => text.replace("'10s'", "'1m'"));
    await project.succeed(...captain('v1', '--force'));
    expect(project.read(file)).toBe(before);
  });
});
