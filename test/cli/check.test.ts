import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { beforeAll, describe, expect, test } from 'vitest';
import { configurationRule, rules } from '../../src/check/rules.ts';
import { checkedProject, findingsIn, linesOf } from '../support/checked-project.ts';
import { type EditableProject, copyOf } from '../support/copy-of.ts';
import { snapshot } from '../support/snapshot.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import type { TestProject } from '../support/test-project.ts';

let project: TestProject;
beforeAll(async () => {
  project = await checkedProject();
});

const role = 'config/rbac/role.yaml';
const crd = 'config/crd/bases/crew.example.com_captains.yaml';
const sample = 'config/samples/crew_v1_captain.yaml';

/** One error that --fix repairs, one that it does not, and a warning. */
function broken(): EditableProject {
  const copy = copyOf(project);
  copy.change(role, (text) => text.replace('name: manager-role', 'name: manager-role # mine'));
  copy.change(sample, (text) => text.replace('replicas: 1', 'replica: 1'));
  copy.change('Dockerfile', (text) => text.replace('node:24-bookworm-slim', 'node'));
  return copy;
}

describe('ots check', () => {
  test('prints each finding with its place, its rule and a hint, and fails', async () => {
    expect(await broken().run('check')).toEqual({
      code: 1,
      stderr: '',
      stdout: `Dockerfile:2: warning: The base image node has no tag, so each build may get another one (dockerfile)
  hint: Name a version, such as node:24-bookworm-slim, or a digest.
${role}:6: error: ${role} is out of date (manifests)
  hint: Run ots manifests and commit the result.
${sample}:10:3: error: unknown field "spec.replica" (samples)
  hint: Correct the sample, or the type if the sample is right.
2 errors, 1 warning (ots check --fix repairs 1)
`,
    });
  });

  test('warnings alone do not fail', async () => {
    const copy = copyOf(project);
    copy.change('Dockerfile', (text) => text.replace('node:24-bookworm-slim', 'node'));
    const { code, stdout } = await copy.run('check');
    expect([code, stdout]).toEqual([0, expect.stringContaining('\n1 warning\n')]);
  });

  test('with --quiet prints errors only', async () => {
    const { code, stdout } = await broken().run('check', '--quiet');
    expect([code, stdout.match(/: (?:error|warning): /g)]).toEqual([1, [': error: ', ': error: ']]);
    expect(stdout).not.toContain('2 errors');
    expect(await project.run('check', '--quiet')).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  test('with --json prints one document', async () => {
    const { code, stdout } = await broken().run('check', '--json');
    const report = JSON.parse(stdout);
    expect(code).toBe(1);
    expect(report).toMatchObject({
      command: 'check',
      counts: { errors: 2, warnings: 1, fixable: 1, ignored: 0 },
      findings: [
        { rule: 'dockerfile', severity: 'warning', file: 'Dockerfile', line: 2, fixable: false },
        { rule: 'manifests', severity: 'error', file: role, line: 6, fixable: true },
        { rule: 'samples', severity: 'error', file: sample, line: 10, column: 3, fixable: false },
      ],
      ignored: [],
      skipped: [{ rule: 'rbac-record', reason: 'no test wrote a record to coverage/rbac' }],
    });
    expect(report.rules).toEqual(rules.map(({ name }) => name).filter((name) => name !== 'crd-compat'));
  });

  test('writes nothing', async () => {
    const copy = broken();
    const before = snapshot(copy.directory);
    await copy.run('check');
    await copy.run('check', '--dry-run');
    await copy.run('check', '--fix', '--dry-run');
    expect(snapshot(copy.directory)).toEqual(before);
  });

  test('works from a folder of the project, and refuses to run elsewhere', async () => {
    expect(await project.run('check', '--cwd', 'src/api')).toMatchObject({ code: 0 });
    const copy = copyOf(project);
    rmSync(join(copy.directory, 'PROJECT'));
    expect(await copy.refuse('check')).toMatchObject({ code: 'NO_PROJECT' });
  });
});

describe('--fix', () => {
  test('repairs what it can, and reports what is left', async () => {
    const copy = broken();
    const { code, stdout } = await copy.run('check', '--fix');
    expect([code, stdout]).toEqual([1, expect.stringContaining(`update ${role}\n`)]);
    expect(stdout).toMatch(/\n1 error, 1 warning\n$/);
    expect(copy.read(role)).toBe(readOf(role));
  });

  test('as a dry run shows the repairs and what would be left', async () => {
    const { code, stdout } = await broken().run('check', '--fix', '--dry-run');
    expect(code).toBe(1);
    expect(stdout).toContain('-  name: manager-role # mine\n');
    expect(stdout).toContain('1 to update (dry run: nothing written)');
    expect(stdout).toMatch(/\n1 error, 1 warning\n$/);
  });

  test('lists missing entries, and removes entries of files that are gone', async () => {
    const copy = copyOf(project);
    copy.change('config/rbac/kustomization.yaml', (text) =>
      text.replace('  - captain-editor-role.yaml\n', '  - sailors.yaml # of Bob\n'),
    );
    copy.change('config/samples/kustomization.yaml', (text) =>
      text.replace(/ {2}- crew.*\n/, '').replace('resources:', 'resources: []'),
    );
    const { code } = await copy.run('check', '--fix');
    expect([code, await linesOf(copy)]).toEqual([0, []]);
    expect(copy.read('config/rbac/kustomization.yaml')).not.toContain('Bob');
    expect(copy.read('config/samples/kustomization.yaml')).toBe(readOf('config/samples/kustomization.yaml'));
  });

  test('generates a definition before it would remove its entry', async () => {
    const copy = copyOf(project);
    rmSync(join(copy.directory, crd));
    expect(await copy.run('check', '--fix')).toMatchObject({ code: 0 });
    expect([copy.read(crd), copy.read('config/crd/kustomization.yaml')]).toEqual([
      readOf(crd),
      readOf('config/crd/kustomization.yaml'),
    ]);
  });

  test('does not repair what the configuration turns off', async () => {
    const copy = broken();
    copy.write('ots-check.yaml', 'ignore:\n  - rule: manifests\n    reason: generated elsewhere\n');
    await copy.run('check', '--fix');
    expect(copy.read(role)).toContain('# mine\n');
  });

  test('changes nothing in a project without findings', async () => {
    expect((await project.run('check', '--fix')).stdout).toBe(
      'Nothing to do: everything is up to date\nNo problems found by 18 rules\n',
    );
  });

  test('prints the files with --json', async () => {
    const report = JSON.parse((await broken().run('check', '--fix', '--json')).stdout);
    expect(report).toMatchObject({
      fixed: [{ path: role, action: 'update' }],
      counts: { errors: 1, fixable: 0 },
    });
  });

  const readOf = (path: string): string => copyOf(project).read(path);
});

describe('ots-check.yaml', () => {
  const configured = (text: string): EditableProject => {
    const copy = broken();
    copy.write('ots-check.yaml', text);
    return copy;
  };

  test('turns a rule off, in one file or in all, and the report says why', async () => {
    const copy = configured(`ignore:
  - rule: samples
    file: ${sample}
    reason: the next release renames it
  - rule: manifests
    reason: generated elsewhere
  - rule: dockerfile
    reason: our base is updated daily
`);
    const { code, stdout } = await copy.run('check', '--verbose');
    expect(code).toBe(0);
    expect(stdout).toContain(
      `turned off: ${sample}:10: unknown field "spec.replica" (samples): the next release renames it\n`,
    );
    expect(stdout).toMatch(/\nNo problems found by 18 rules \(ots-check.yaml turns off 3\)\n$/);
    const report = JSON.parse((await copy.run('check', '--json')).stdout);
    expect(report.counts).toEqual({ errors: 0, warnings: 0, fixable: 0, ignored: 3 });
    expect(report.ignored).toContainEqual(
      expect.objectContaining({ rule: 'manifests', file: role, reason: 'generated elsewhere' }),
    );
  });

  test.each([
    [
      'names a rule that does not exist',
      'ignore:\n  - rule: sample\n    reason: a\n',
      '2: error: "sample" is not a rule',
      'Did you mean "samples"?',
    ],
    ['names no rule', 'ignore:\n  - reason: a\n', '2: error: The entry names no rule', 'Rules are project,'],
    ['has no reason', 'ignore:\n  - rule: samples\n', '2: error: The entry has no reason', 'Say in "reason"'],
    [
      'has an empty reason',
      'ignore:\n  - rule: samples\n    reason: " "\n',
      '3: error: The entry has no reason',
      'Say in "reason"',
    ],
    [
      'turns nothing off',
      'ignore:\n  - rule: workflows\n    reason: a\n',
      '2: warning: The entry turns nothing off: workflows has no findings',
      'Remove the entry.',
    ],
    [
      'turns nothing off in a file',
      'ignore:\n  - rule: samples\n    file: a.yaml\n    reason: a\n',
      '2: warning: The entry turns nothing off: samples has no findings in a.yaml',
      'Remove the entry.',
    ],
    [
      'has an unknown key',
      'ignores: []\n',
      '1: error: "ignores" is not a key of ots-check.yaml',
      'Did you mean "ignore"?',
    ],
    [
      'has an entry with an unknown key',
      'ignore:\n  - rule: samples\n    files: a\n    reason: a\n',
      '3: error: "files" is not a key of ots-check.yaml',
      'Did you mean "file"?',
    ],
    ['is not a list', 'ignore: samples\n', '1: error: ignore is not a list', 'Write each entry'],
    [
      'has a text as an entry',
      'ignore:\n  - samples\n',
      '2: error: The entry is not a map',
      'Write "rule: …"',
    ],
    [
      'has a list of files',
      'ignore:\n  - rule: samples\n    file: [a]\n    reason: a\n',
      '3: error: file is not a path',
      'Write the path',
    ],
  ])('that %s is a finding', async (_, text, message, hint) => {
    const found = (await findingsIn(configured(text))).map(
      (finding) =>
        `${finding.file}:${finding.line}: ${finding.severity}: ${finding.message} (${finding.rule}) ${finding.hint}`,
    );
    const [line] = found.filter((each) => each.includes(`(${configurationRule})`));
    expect(line).toContain(`ots-check.yaml:${message}`);
    expect(line).toContain(hint);
  });

  test('that is not YAML turns nothing off', async () => {
    const lines = await linesOf(configured('ignore: ['));
    expect(lines).toContainEqual(expect.stringContaining('ots-check.yaml is not valid YAML'));
    expect(lines).toHaveLength(4);
  });
});

describe('--format', () => {
  test('github prints annotations, with paths from the root of the repository', async () => {
    const copy = broken();
    const env = { GITHUB_ACTIONS: 'true', GITHUB_WORKSPACE: dirname(copy.directory) };
    const { code, stdout } = await copy.runIn({ env }, 'check');
    const folder = copy.directory.split('/').at(-1);
    expect(code).toBe(1);
    expect(stdout).toContain(
      `::error file=${folder}/${sample},line=10,col=3,title=ots check%3A samples::unknown field "spec.replica"%0ACorrect the sample, or the type if the sample is right.\n`,
    );
    expect(stdout).toMatch(/\n2 errors, 1 warning \(ots check --fix repairs 1\)\n$/);
    expect((await copy.runIn({ env }, 'check', '--format', 'text')).stdout).not.toContain('::error');
    expect((await copy.run('check', '--format', 'github')).stdout).toContain(
      `::warning file=Dockerfile,line=2,`,
    );
  });

  test('sarif prints a log of SARIF 2.1.0, in which what is turned off is suppressed', async () => {
    const copy = broken();
    copy.write('ots-check.yaml', 'ignore:\n  - rule: dockerfile\n    reason: updated daily\n');
    const { code, stdout } = await copy.run('check', '--format', 'sarif');
    const log = JSON.parse(stdout);
    expect(code).toBe(1);
    expect(log).toMatchObject({ version: '2.1.0', runs: [{ tool: { driver: { name: 'ots check' } } }] });
    const [{ results, tool }] = log.runs;
    expect(results).toMatchObject([
      { ruleId: 'manifests', level: 'error' },
      {
        ruleId: 'samples',
        level: 'error',
        message: {
          text: 'unknown field "spec.replica". Correct the sample, or the type if the sample is right.',
        },
        locations: [
          {
            physicalLocation: {
              artifactLocation: { uri: sample, uriBaseId: '%SRCROOT%' },
              region: { startLine: 10, startColumn: 3 },
            },
          },
        ],
      },
      { ruleId: 'dockerfile', suppressions: [{ kind: 'external', justification: 'updated daily' }] },
    ]);
    const described = tool.driver.rules.map(({ id }: { id: string }) => id);
    expect(described).toEqual([...rules.map(({ name }) => name), configurationRule]);
  });

  test('refuses another format, and --json beside it', async () => {
    expect(await project.run('check', '--format', 'serif')).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'error: "serif" is not a format of --format\nhint: Did you mean "sarif"? Use text, github, sarif, or --json.\n',
    });
    expect(await project.run('check', '--format', 'text', '--json')).toMatchObject({ code: 2 });
  });
});

describe('--compat', () => {
  const env = {
    PATH: process.env['PATH'],
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    ...Object.fromEntries(
      ['AUTHOR', 'COMMITTER'].flatMap((who) => [
        [`GIT_${who}_NAME`, 'a'],
        [`GIT_${who}_EMAIL`, 'a@example.com'],
      ]),
    ),
  };

  test('reports what breaks users of the CRDs at a git revision', async () => {
    const copy = copyOf(project);
    const git = (...args: string[]) => execa('git', args, { cwd: copy.directory, env, extendEnv: false });
    await git('init', '-q', '-b', 'main');
    await git('add', '-A');
    await git('commit', '-q', '-m', 'first');
    expect((await copy.runIn({ env }, 'check', '--compat', 'main')).stdout).toBe(
      'No problems found by 19 rules\n',
    );
    copy.change('src/api/v1/captain.ts', (text) => text.replaceAll('message', 'greeting'));
    copy.change(sample, (text) => text.replace('message', 'greeting'));
    await copy.runIn({ env }, 'check', '--fix');
    const { code, stdout } = await copy.runIn({ env }, 'check', '--compat', 'main');
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /\.spec\.message.*\(main:config\/crd\/bases\/\S+:\d+\) \(crd-compat\)|\.spec\.message.*\(crd-compat\)/,
    );
  });

  test('refuses a revision that does not exist, and a project without a repository', async () => {
    const copy = copyOf(project);
    const inNoRepository = { env: { ...env, GIT_CEILING_DIRECTORIES: dirname(copy.directory) } };
    const { code, stdout } = await copy.runIn(inNoRepository, 'check', '--compat', 'main', '--json');
    expect([code, JSON.parse(stdout).error.code]).toEqual([1, 'NO_REPOSITORY']);
    expect((await copy.refuse('check', '--compat', '--output=x')).code).toBe('INVALID_GIT_REF');
  });
});

test('a project in a folder that does not exist is refused', async () => {
  const { code, stdout } = await copyOf(project).run(
    'check',
    '--cwd',
    join(temporaryDirectory(), 'none'),
    '--json',
  );
  expect([code, JSON.parse(stdout).error.code]).toEqual([1, 'NO_DIRECTORY']);
});
