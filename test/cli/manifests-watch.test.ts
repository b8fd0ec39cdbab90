import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { execa } from 'execa';
import { beforeAll, describe, expect, test, onTestFinished } from 'vitest';
import { type EditableProject, copyOf } from '../support/copy-of.ts';
import { otsBinary } from '../support/ots-binary.ts';
import { type TestProject, testProject } from '../support/test-project.ts';

const sourcePath = 'src/api/v1/captain.ts';
const crdPath = 'config/crd/bases/crew.example.com_captains.yaml';

let project: TestProject;
beforeAll(async () => {
  project = await testProject(['create', 'api', '--group', 'crew', '--version', 'v1', '--kind', 'Captain']);
});

interface Watch {
  readonly copy: EditableProject;
  readonly output: { stdout: string; stderr: string };
  /** Waits until the output or a file is as expected. The time limit of the test ends the wait. */
  readonly until: (condition: () => boolean) => Promise<void>;
  /** Waits until the definition says this. */
  readonly untilCrd: (text: string) => Promise<void>;
  /** Sends a signal. @returns the exit code */
  readonly end: (signal?: NodeJS.Signals) => Promise<number>;
}

/** Starts `ots manifests --watch` in this process, and waits for its first run. */
async function watch(copy: EditableProject, ...flags: string[]): Promise<Watch> {
  const output = { stdout: '', stderr: '' };
  let wake = () => {};
  const stream = (name: 'stdout' | 'stderr') =>
    new Writable({
      write(chunk: Buffer, _, done) {
        output[name] += chunk.toString('utf8');
        wake();
        done();
      },
    }) as NodeJS.WriteStream;
  const until = async (condition: () => boolean): Promise<void> => {
    while (!condition()) {
      await new Promise<void>((resolve) => {
        wake = resolve;
        // Files change without output, too.
        setTimeout(resolve, 10);
      });
    }
  };
  let send: (signal: NodeJS.Signals) => void = () => {};
  const signal = new Promise<NodeJS.Signals>((resolve) => (send = resolve));
  const context = { stdout: stream('stdout'), stderr: stream('stderr'), untilSignal: () => signal };
  const done = copy.runIn(context, 'manifests', '--watch', ...flags);
  const end = async (name: NodeJS.Signals = 'SIGINT') => {
    send(name);
    return (await done).code;
  };
  onTestFinished(async () => {
    await end();
  });
  const crd = () => readFileSync(join(copy.directory, crdPath), 'utf8');
  if (!flags.includes('-q')) await until(() => /ms\)|error|milliseconds/.test(output.stdout + output.stderr));
  return { copy, output, until, untilCrd: (text) => until(() => crd().includes(text)), end };
}

const withMax = (text: string, max: number) => text.replace(/@maxLength \d+/, `@maxLength ${max}`);

describe('--watch', () => {
  test('generates at once and reports each run on a line', async () => {
    const copy = copyOf(project);
    rmSync(join(copy.directory, crdPath));
    const { output, untilCrd, until, end } = await watch(copy);
    expect(output.stdout).toMatch(
      /^Watching src\/ and PROJECT for changes; press Ctrl-C to stop\n\d\d:\d\d:\d\d create config\/crd\S+ \(\d+ ms\)\n$/,
    );
    copy.change(sourcePath, (text) => withMax(text, 100));
    await untilCrd('maxLength: 100');
    await until(() => output.stdout.split('\n').length > 3);
    expect(output.stdout.split('\n').slice(2)).toEqual([
      expect.stringMatching(/^\d\d:\d\d:\d\d src\/api\/v1\/captain\.ts: update config\/crd\S+ \(\d+ ms\)$/),
      '',
    ]);
    copy.change(sourcePath, (text) => `${text}// nothing\n`);
    await until(() => output.stdout.includes('captain.ts: nothing to write ('));
    expect(await end()).toBe(130);
    expect(output.stderr).toBe('');
  });

  test('notices every way in which a file can change', async () => {
    const copy = copyOf(project);
    const { output, untilCrd, until } = await watch(copy);
    const at = (path: string) => join(copy.directory, path);
    const text = copy.read(sourcePath);
    let max = 10;
    const next = () => withMax(text, ++max);
    for (let round = 0; round < 3; round++) {
      writeFileSync(at(sourcePath), next());
      await untilCrd(`maxLength: ${max}\n`);
      // As many editors save.
      writeFileSync(at(`${sourcePath}.tmp`), next());
      renameSync(at(`${sourcePath}.tmp`), at(sourcePath));
      await untilCrd(`maxLength: ${max}\n`);
      renameSync(at(sourcePath), at(`${sourcePath}~`));
      writeFileSync(at(sourcePath), next());
      rmSync(at(`${sourcePath}~`));
      await untilCrd(`maxLength: ${max}\n`);
    }
    const sailors = 'config/crd/bases/crew.example.com_sailors.yaml';
    const sailor = text.replaceAll('Captain', 'Sailor').replaceAll('captain', 'sailor');
    const exists = (path: string) => {
      try {
        return copy.read(path) !== '';
      } catch {
        return false;
      }
    };
    // Directories: new ones, what is in them later, their move, and the end of them.
    mkdirSync(at('src/api/v2/deep/er'), { recursive: true });
    writeFileSync(at('src/api/v2/deep/er/sailor.ts'), sailor);
    await until(() => exists(sailors));
    writeFileSync(at('src/api/v2/deep/er/sailor.ts'), withMax(sailor, 77));
    await until(() => copy.read(sailors).includes('maxLength: 77'));
    renameSync(at('src/api/v2'), at('src/api/v3'));
    writeFileSync(at('src/api/v3/deep/er/sailor.ts'), withMax(sailor, 78));
    await until(() => copy.read(sailors).includes('maxLength: 78'));
    rmSync(at('src/api/v3'), { recursive: true });
    await until(() => !exists(sailors));
    // The same name again is another directory.
    mkdirSync(at('src/api/v3/deep/er'), { recursive: true });
    writeFileSync(at('src/api/v3/deep/er/sailor.ts'), withMax(sailor, 79));
    await until(() => exists(sailors) && copy.read(sailors).includes('maxLength: 79'));
    rmSync(at('src/api/v3'), { recursive: true });
    mkdirSync(at('src/api/v3/deep/er'), { recursive: true });
    writeFileSync(at('src/api/v3/deep/er/sailor.ts'), withMax(sailor, 80));
    await until(() => copy.read(sailors).includes('maxLength: 80'));
    writeFileSync(at('src/api/v3/deep/er/sailor.ts'), withMax(sailor, 81));
    await until(() => copy.read(sailors).includes('maxLength: 81'));
    rmSync(at('src/api/v3'), { recursive: true });
    await until(() => !exists(sailors));
    // All of the sources.
    renameSync(at('src'), at('away'));
    await until(() => !exists(crdPath));
    renameSync(at('away'), at('src'));
    await until(() => exists(crdPath));
    expect(output.stderr).toBe('');
  });

  test('runs again when PROJECT changes', async () => {
    const copy = copyOf(project);
    const { until } = await watch(copy);
    expect(copy.read('config/rbac/role.yaml')).toContain('kind: ClusterRole\n');
    copy.change('PROJECT', (text) => text.replace('projectName:', 'namespaced: true\nprojectName:'));
    await until(() => copy.read('config/rbac/role.yaml').includes('kind: Role\n'));
  });

  test('continues after errors and reports when they are fixed', async () => {
    const copy = copyOf(project);
    const { output, until } = await watch(copy);
    copy.change(sourcePath, (text) => text.replace('@maxLength 256', '@maxLength many'));
    await until(() => output.stderr.includes('\nhint: '));
    expect(output.stderr).toMatch(
      /^\d\d:\d\d:\d\d src\/api\/v1\/captain\.ts: error: The sources have an error:\nsrc\S+captain\.ts:\d+:\d+: /,
    );
    expect(copy.read(crdPath)).toContain('maxLength: 256');
    copy.change(sourcePath, (text) => text.replace('@maxLength many', '@maxLength 12'));
    await until(() => copy.read(crdPath).includes('maxLength: 12'));
    copy.write('PROJECT', 'a: [');
    await until(() => output.stderr.includes('PROJECT:1:'));
  });

  test('starts despite errors in the sources', async () => {
    const copy = copyOf(project);
    copy.change(sourcePath, (text) => text.replace('@maxLength 256', '@maxLength many'));
    const { output, untilCrd } = await watch(copy);
    expect(output.stderr).toMatch(/^\d\d:\d\d:\d\d error: /);
    copy.change(sourcePath, (text) => text.replace('@maxLength many', '@maxLength 12'));
    await untilCrd('maxLength: 12');
  });

  test('misses none of many fast changes', async () => {
    const copy = copyOf(project);
    const { output, untilCrd } = await watch(copy);
    const text = copy.read(sourcePath);
    for (let round = 1; round <= 20; round++) {
      for (let step = 0; step < 10; step++) {
        writeFileSync(join(copy.directory, sourcePath), withMax(text, round * 100 + step));
        // Lets the watcher come between some of them.
        if (step % 3 === 0) await new Promise((resolve) => setImmediate(resolve));
      }
      await untilCrd(`maxLength: ${round * 100 + 9}\n`);
    }
    expect(output.stderr).toBe('');
  });

  test('prints one JSON document per line with --json and only errors with -q', async () => {
    const copy = copyOf(project);
    const { output, until, end } = await watch(copy, '--json');
    copy.change(sourcePath, (text) => withMax(text, 100));
    await until(() => output.stdout.includes('update'));
    copy.change(sourcePath, (text) => text.replace('@maxLength 100', '@maxLength many'));
    await until(() => output.stdout.includes('INVALID_SOURCES'));
    expect(await end('SIGTERM')).toBe(143);
    const lines = output.stdout.trimEnd().split('\n');
    expect(lines.map((line): unknown => JSON.parse(line))).toMatchObject([
      { changed: [], changes: [] },
      {
        changed: [sourcePath],
        changes: [{ path: crdPath, action: 'update' }],
        milliseconds: expect.any(Number),
      },
      {
        changed: [sourcePath],
        error: { code: 'INVALID_SOURCES', details: { diagnostics: [{ file: sourcePath }] } },
      },
    ]);

    const quiet = await watch(copy, '-q');
    await quiet.until(() => quiet.output.stderr.includes('hint:'));
    copy.change(sourcePath, (text) => text.replace('@maxLength many', '@maxLength 13'));
    await quiet.until(() => copy.read(crdPath).includes('maxLength: 13'));
    expect(quiet.output.stdout).toBe('');
  });

  test('also keeps the reference up to date', async () => {
    const copy = copyOf(project);
    const { until } = await watch(copy, '--docs', 'docs');
    copy.change(sourcePath, (text) => withMax(text, 100));
    await until(() => copy.read('docs/crew.example.com_v1.md').includes('maxLength 100'));
    expect(copy.read(crdPath)).toContain('maxLength: 100\n');
  });

  test('needs a project', async () => {
    expect(await project.run('manifests', '--watch', '--cwd', '/')).toMatchObject({ code: 1, stdout: '' });
  });

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('ends the program on %s', async (signal, code) => {
    const copy = copyOf(project);
    const child = execa(process.execPath, [otsBinary, 'manifests', '--watch'], {
      cwd: copy.directory,
      reject: false,
    });
    let output = '';
    for await (const line of child) {
      output += `${line}\n`;
      if (line.endsWith('ms)')) child.kill(signal);
    }
    const { exitCode, stderr } = await child;
    expect([exitCode, stderr]).toEqual([code, '']);
    expect(output.split('\n')).toHaveLength(3);
  });
});
