import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { execa } from 'execa';
import { beforeAll, describe, expect, test } from 'vitest';
import { copyOf } from '../support/copy-of.ts';
import { otsBinary } from '../support/ots-binary.ts';
import { run } from '../support/run.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { type TestProject, testProject } from '../support/test-project.ts';

const api = (version: string, kind: string, ...flags: string[]): string[] => [
  'create',
  'api',
  '--group',
  'crew',
  '--version',
  version,
  '--kind',
  kind,
  ...flags,
];

let project: TestProject;
beforeAll(async () => {
  project = await testProject(api('v1', 'Captain'), api('v2', 'Captain'), api('v1beta1', 'Sailor'), [
    'create',
    'api',
    '--group',
    'apps',
    '--version',
    'v1',
    '--kind',
    'Deployment',
    '--resource=false',
  ]);
});

/** The candidates for a line, of which the last word may be unfinished; without their descriptions. */
async function candidates(line: string, cwd = project.directory): Promise<string[]> {
  const { code, stdout, stderr } = await run(cwd, ['__complete', '--', ...line.split(' ')]);
  expect([code, stderr]).toEqual([0, '']);
  return stdout.split('\n').flatMap((text) => text.split('\t')[0] || []);
}

describe('candidates', () => {
  test.each([
    [
      '',
      [
        'init',
        'create',
        'delete',
        'edit',
        'manifests',
        'check',
        'dev',
        'torture',
        'run',
        'install',
        'uninstall',
        'deploy',
        'undeploy',
        'build-installer',
        'migrate-storage',
        'generate',
        'bundle',
        'scorecard',
        'catalog',
        'olm',
        'cleanup',
        'alpha',
        'trace',
        'apiserver',
        'version',
        'completion',
      ],
    ],
    ['c', ['create', 'check', 'catalog', 'cleanup', 'completion']],
    ['create ', ['api', 'webhook']],
    ['delete ', ['api', 'webhook']],
    ['delete api --kind ', ['Captain', 'Deployment', 'Sailor']],
    ['delete webhook --kind ', []],
    ['create w', ['webhook']],
    ['generate ', ['kustomize-manifests', 'bundle']],
    ['alpha ', ['generate', 'update']],
    ['run b', ['bundle', 'bundle-upgrade']],
    ['nonsense', []],
    ['completion ', ['bash', 'zsh', 'fish']],
    ['completion z', ['zsh']],
    ['--', ['--version', '--help']],
    ['edit --l', ['--license', '--license-file']],
    ['create api --cont', ['--controller', '--controller-name']],
    ['create webhook --s', ['--spoke']],
    ['apiserver --se', ['--service', '--service-ca']],
    ['edit --h', ['--help']],
    ['init --license ', ['apache2', 'mit', 'none']],
    ['init --license m', ['mit']],
    ['init --license=', ['--license=apache2', '--license=mit', '--license=none']],
    ['edit --multigroup=', ['--multigroup=true', '--multigroup=false']],
    ['create api --resource=f', ['--resource=false']],
    ['init --domain ', []],
  ])('for "%s" are %j', async (line, expected) => {
    expect(await candidates(line)).toEqual(expected);
  });

  test('of flags are all that the command has', async () => {
    const { stdout } = await project.run('create', 'webhook', '--help');
    const flags = [...stdout.matchAll(/^ {2}(?:-\w, )?(--[a-z-]+)/gm)].map(([, flag = '']) => flag);
    expect((await candidates('create webhook -')).toSorted()).toEqual(flags.toSorted());
  });

  test.each([
    ['create api --group ', ['apps', 'crew']],
    ['create api --group c', ['crew']],
    ['create api --group=', ['--group=apps', '--group=crew']],
    ['create api --version ', ['v1', 'v1beta1', 'v2']],
    ['create api --kind ', ['Captain', 'Deployment', 'Sailor']],
    ['torture ', ['Captain', 'Deployment', 'Sailor']],
    ['create webhook --group crew --kind ', ['Captain', 'Sailor']],
    ['create webhook --group=crew --kind=', ['--kind=Captain', '--kind=Sailor']],
    ['create webhook --version v1 --kind ', ['Captain', 'Deployment']],
    ['create webhook --kind Captain --version ', ['v1', 'v2']],
    ['create webhook --kind=Captain --version=v1 --spoke ', ['v2']],
    ['create webhook --kind Captain --conversion --spoke ', ['v1', 'v2']],
    ['create webhook --kind Unknown --version ', []],
  ])('for "%s" come from PROJECT: %j', async (line, expected) => {
    expect(await candidates(line)).toEqual(expected);
  });

  test('come from the PROJECT that --cwd names, or the one above', async () => {
    const other = temporaryDirectory();
    expect(await candidates('create api --kind ', other)).toEqual([]);
    expect(await candidates(`create api --cwd ${project.directory} --kind `, other)).toContain('Sailor');
    expect(await candidates(`create api --cwd=${project.directory}/src/api --kind `, other)).toContain(
      'Sailor',
    );
    expect(await candidates('create api --kind ', join(project.directory, 'src/api/v1'))).toContain('Sailor');
  });

  test.each([
    ['is not YAML', 'a: ['],
    ['is of another layout', 'layout: [go.kubebuilder.io/v4]\nversion: "3"\ndomain: a.b\nprojectName: x\n'],
    ['is empty', ''],
  ])('do not fail when PROJECT %s', async (_, text) => {
    const broken = copyOf(project);
    broken.write('PROJECT', text);
    expect(await candidates('create api --kind ', broken.directory)).toEqual([]);
    expect(await candidates('create api --force', broken.directory)).toEqual(['--force']);
  });

  test.each([
    ['--cwd', 'no\nwhere'],
    ['--'],
    ['-', '--', ''],
    ['__proto__', ''],
    ['create', 'constructor', '--x='],
  ])('do not fail for %j', async (...words) => {
    expect(await project.run('__complete', '--', ...words)).toMatchObject({ code: 0, stderr: '' });
    expect(await project.run('__complete', ...words)).toMatchObject({ code: 0, stderr: '' });
  });

  test('are not part of the help', async () => {
    expect((await project.run('--help')).stdout).not.toContain('__complete');
  });
});

const isInstalled = (shell: string): boolean => spawnSync(shell, ['--version']).status === 0;

describe('the script', () => {
  /** Runs a script in a shell that finds `ots`. */
  async function inShell(shell: string, args: string[], script: string): Promise<string[]> {
    const bin = temporaryDirectory();
    writeFileSync(join(bin, 'ots'), `#!/bin/sh\nexec "${process.execPath}" "${otsBinary}" "$@"\n`, {
      mode: 0o755,
    });
    const env = { PATH: [bin, process.env['PATH']].join(delimiter), HOME: bin };
    const { stdout, stderr } = await execa(shell, [...args, '-c', script], { cwd: project.directory, env });
    expect(stderr).toBe('');
    return stdout.split('\n').filter(Boolean);
  }

  test.skipIf(!isInstalled('bash'))('of bash completes', async () => {
    const lines = [
      ['create', ''],
      ['create', 'webhook', '--group', 'crew', '--kind', 'C'],
      ['create', 'webhook', '--kind=S'],
      ['init', '--domain', ''],
    ];
    const asked = lines.map((words) => {
      const typed = ['ots', ...words].map((word) => `'${word}'`);
      return `COMP_WORDS=(${typed.join(' ')}); COMP_CWORD=${words.length}; _ots; echo "\${#COMPREPLY[@]}:\${COMPREPLY[*]}"`;
    });
    const script = ['source <(ots completion bash)', 'complete -p ots', ...asked].join('\n');
    expect(await inShell('bash', ['--noprofile', '--norc'], script)).toEqual([
      'complete -o default -F _ots ots',
      '2:api webhook',
      '1:Captain',
      '1:--kind=Sailor',
      '0:',
    ]);
  });

  test.skipIf(!isInstalled('zsh'))('of zsh loads, sourced and from a file', async () => {
    const script = `autoload -Uz compinit; compinit -D
source <(ots completion zsh); print -r -- \${_comps[ots]}
functions -c _ots copy; whence -w copy`;
    expect(await inShell('zsh', ['-f'], script)).toEqual(['_ots', 'copy: function']);
  });

  test.skipIf(!isInstalled('fish'))('of fish completes', async () => {
    const script = `ots completion fish | source
complete -C 'ots create webhook --group crew --kind C'`;
    expect(await inShell('fish', ['--no-config'], script)).toEqual(['Captain']);
  });

  test.each(['bash', 'zsh', 'fish'])('of %s is the same everywhere', async (shell) => {
    const outside = await run(temporaryDirectory(), ['completion', shell]);
    expect(outside).toMatchObject({ code: 0, stderr: '' });
    expect(await project.run('completion', shell)).toEqual(outside);
  });

  test.each(['tcsh', 'Bash', 'constructor', '__proto__', ''])('of %j is refused', async (shell) => {
    expect(await project.run('completion', shell)).toMatchObject({ code: 2, stdout: '' });
  });
});
