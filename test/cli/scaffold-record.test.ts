import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { scaffoldedFiles } from '../../src/layouts/typescript/unedited-project.ts';
import { formatRecord, recordFile } from '../../src/scaffold/scaffold-record.ts';
import { Tree } from '../../src/scaffold/tree.ts';
import { copyOf } from '../support/copy-of.ts';
import { run } from '../support/run.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { type TestProject, testProject } from '../support/test-project.ts';

const api = ['create', 'api', '--group', 'sea', '--version', 'v1', '--kind', 'Boat'];
const newVersion = ['create', 'api', '--group', 'sea', '--version', 'v2', '--kind', 'Boat'];
const webhook = ['create', 'webhook', '--group', 'sea', '--version', 'v1', '--kind', 'Boat', '--defaulting'];

const project = await testProject(api);

function recordOf({ directory }: Pick<TestProject, 'directory'>): Record<string, string> {
  const files = scaffoldedFiles(new Tree(directory)) ?? new Map<string, Buffer>();
  return Object.fromEntries([...files].map(([path, content]) => [path, content.toString()]));
}

/** Runs the same commands in the project as scaffolded and in a copy that `edit` changed first. */
async function recordsAfter(
  edit: (copy: ReturnType<typeof copyOf>) => void,
  ...steps: readonly string[][]
): Promise<{ unedited: Record<string, string>; edited: Record<string, string> }> {
  const [original, copy] = [copyOf(project), copyOf(project)];
  edit(copy);
  for (const step of steps) {
    for (const { directory } of [original, copy])
      expect(await run(directory, step), step.join(' ')).toMatchObject({ code: 0, stderr: '' });
  }
  return { unedited: recordOf(original), edited: recordOf(copy) };
}

describe('the record of the scaffold', () => {
  test('does not contain edits, whatever commands run on the edited project', async () => {
    const { unedited, edited } = await recordsAfter(
      (copy) => {
        copy.change('src/api/v1/boat.ts', (text) => text.replace('generation of the spec', 'edited spec'));
        copy.change('src/controllers/boat.controller.ts', (text) => `${text}// edited\n`);
        copy.change('config/rbac/kustomization.yaml', (text) => `# edited\n${text}`);
      },
      newVersion,
      webhook,
      ['edit', '--multigroup', '--license', 'mit', '--owner', 'Harbor Ltd'],
    );
    expect(edited).toEqual(unedited);
    expect(JSON.stringify(edited)).not.toContain('edited');
    expect(Object.keys(edited)).toContain('src/api/sea/v2/boat.ts');
    expect(Object.keys(edited)).not.toContain('src/api/v1/boat.ts');
  });

  test('follows deletions', async () => {
    const deletion = [...webhook.with(0, 'delete'), '--force'];
    const { unedited, edited } = await recordsAfter(
      (copy) => copy.change('config/rbac/kustomization.yaml', (text) => `# edited\n${text}`),
      webhook,
      newVersion,
      deletion,
      newVersion.with(0, 'delete'),
    );
    expect(edited).toEqual(unedited);
    expect(unedited).toEqual(recordOf(project));
  });

  test('tells which files are unedited, whatever this version of ots scaffolds', async () => {
    const copy = copyOf(project);
    const controller = 'src/controllers/boat.controller.ts';
    copy.change(controller, (text) => `// of another version\n${text}`);
    const remove = api.with(0, 'delete');
    expect(await run(copy.directory, remove)).toMatchObject({ code: 1 });
    const files = new Map(scaffoldedFiles(new Tree(copy.directory)));
    files.set(controller, readFileSync(join(copy.directory, controller)));
    writeFileSync(join(copy.directory, recordFile), formatRecord(files));
    expect(await run(copy.directory, remove)).toMatchObject({ code: 0, stderr: '' });
    expect(Object.keys(recordOf(copy))).not.toContain(controller);
  });

  test('follows a command that needs what the author added to the project', async () => {
    const copy = copyOf(project);
    copy.change('package.json', (text) =>
      text.replace('"dependencies": {', '"dependencies": {\n    "@acme/kinds": "1.0.0",'),
    );
    const external = [
      'create',
      'api',
      '--group',
      'acme',
      '--version',
      'v1',
      '--kind',
      'Anchor',
      '--resource=false',
    ];
    const flags = ['--external-api-domain', 'io', '--external-api-path', '@acme/kinds'];
    const { code, stdout } = await run(copy.directory, [...external, ...flags]);
    expect(code, stdout).toBe(0);
    expect(stdout).not.toContain('stays unchanged');
    expect(recordOf(copy)['src/controllers/index.ts']).toContain('setupAnchorController');
    expect(recordOf(copy)['package.json']).not.toContain('@acme/kinds');
  });

  test('does not take over files that were there before ots init', async () => {
    const directory = temporaryDirectory();
    writeFileSync(join(directory, 'README.md'), '# Mine\n');
    writeFileSync(join(directory, '.gitignore'), 'mine\n');
    const init = ['init', '--skip-install', '--domain', 'example.com', '--project-name', 'ship'];
    expect(await run(directory, init)).toMatchObject({ code: 0 });
    const record = recordOf({ directory });
    expect(Object.keys(record)).not.toContain('README.md');
    expect(Object.keys(record)).not.toContain('.gitignore');
    expect(record['package.json']).toBe(readFileSync(join(directory, 'package.json'), 'utf8'));
  });

  test('is not in the diffs of a dry run, which names it', async () => {
    const { stdout } = await run(project.directory, [...webhook, '--dry-run']);
    expect(stdout).toMatch(/update \.ots-scaffold\n {2}\(binary, \d+ bytes\)/);
    expect(stdout).not.toContain('+Makefile ');
  });

  test('is not made by a command on a project without one', async () => {
    const copy = copyOf(project);
    rmSync(join(copy.directory, recordFile));
    const { code, stdout } = await run(copy.directory, webhook);
    expect(code).toBe(0);
    expect(stdout).not.toContain(recordFile);
    expect(existsSync(join(copy.directory, recordFile))).toBe(false);
  });

  test('that is broken is named in a note, and the command does the rest', async () => {
    const copy = copyOf(project);
    const broken = `${readFileSync(join(copy.directory, recordFile), 'utf8')}<<<<<<< HEAD\n`;
    writeFileSync(join(copy.directory, recordFile), broken);
    const { code, stdout } = await run(copy.directory, webhook);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /note: \.ots-scaffold stays unchanged, so ots alpha update will know less: \.ots-scaffold:\d+ is a conflict marker of git\. Keep the lines of both sides .*\n/,
    );
    expect(readFileSync(join(copy.directory, recordFile), 'utf8')).toBe(broken);
    expect(existsSync(join(copy.directory, 'src/webhooks/v1/boat.defaulter.ts'))).toBe(true);
  });

  test('that lacks a file is named in a note', async () => {
    const copy = copyOf(project);
    copy.change(recordFile, (text) => text.replace(/^src\/webhooks\/index\.ts .*\n/m, ''));
    const { code, stdout } = await run(copy.directory, webhook);
    expect(code).toBe(0);
    expect(stdout).toContain('will know less: src/webhooks/index.ts is missing.');
  });
});
