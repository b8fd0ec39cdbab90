import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { TestEnvironment } from 'ots-testing';
import { waitFor } from 'ots-runtime';
import { expect, test, onTestFinished } from 'vitest';
import { otsBinary } from '../support/ots-binary.ts';

const gvk = ['--group', 'batch', '--version', 'v1', '--kind', 'JobWatcher'];

function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'ots-image-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** Does what the scaffolded Dockerfile does, stage by stage, without Docker. */
test('scaffold: the image contains only production dependencies, and its program starts', async () => {
  const project = temporaryDirectory();
  const image = temporaryDirectory();
  const inProject = { cwd: project, stdin: 'ignore' } as const;
  await execa(
    process.execPath,
    [otsBinary, 'init', '--domain', 'example.com', '--project-name', 'jw'],
    inProject,
  );
  await execa(process.execPath, [otsBinary, 'create', 'api', ...gvk], inProject);
  await execa('npm', ['run', 'build'], inProject);

  for (const path of ['package.json', 'package-lock.json', 'vendor']) {
    cpSync(join(project, path), join(image, path), { recursive: true });
  }
  await execa('npm', ['ci', '--omit=dev', '--no-audit', '--no-fund'], { cwd: image, stdin: 'ignore' });
  cpSync(join(project, 'dist'), join(image, 'dist'), { recursive: true });
  const installed = readdirSync(join(image, 'node_modules'));
  expect(installed).toEqual(expect.arrayContaining(['ots-runtime', 'ots-kubernetes']));
  for (const name of ['ots', 'ots-apiserver', 'ots-testing', 'typescript', 'vitest'])
    expect(installed).not.toContain(name);

  await using environment = await TestEnvironment.start({ crds: [join(project, 'config/crd/bases')] });
  const kubeconfig = join(image, 'kubeconfig');
  writeFileSync(kubeconfig, environment.kubeconfig);
  const flags = ['--kubeconfig', kubeconfig, '--health-probe-bind-address', '127.0.0.1:0'];
  const operator = execa(process.execPath, ['dist/main.js', ...flags], {
    cwd: image,
    env: { NODE_ENV: 'production' },
    stdin: 'ignore',
    reject: false,
  });
  let log = '';
  operator.stderr.on('data', (chunk: Buffer) => (log += chunk.toString()));
  await waitFor(async () => log.includes('the manager is ready'), {
    timeout: '60s',
    message: 'the operator',
  });
  operator.kill('SIGTERM');
  expect((await operator).exitCode, log).toBe(0);
});
