import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import type { DevState } from '../../src/dev/model/dev-state.ts';
import { DevProcess } from '../support/dev-process.ts';
import { DevProject, type Edit } from '../support/dev-project.ts';
import { filesOf } from '../support/files-of.ts';
import { otsBinary } from '../support/ots-binary.ts';

const sample = 'config/samples/batch_v1_jobwatcher.yaml';
const reconciler = 'src/controllers/job-watcher.controller.ts';

const find = ({ objects }: DevState, kind: string) =>
  Object.values(objects).find((object) => object.kind === kind);

test.each<[string, Edit, RegExp]>([
  [
    'a sample that the server refuses',
    { path: sample, replacements: [['frequency: 30', 'frequency: many']] },
    /^error: .*spec\.frequency.*\nhint: /,
  ],
  [
    'an operator that ends',
    { path: 'src/main.ts', replacements: [['import', 'process.exit(7);\nimport']] },
    /^error: The operator ended with exit code 7\nhint: /,
  ],
  [
    'a reconciler that fails',
    {
      path: reconciler,
      replacements: [['    const started = this.#now();\n', "    throw new Error('broken');\n"]],
    },
    /^error: After 5s, JobWatcher jobwatcher-v1-sample fails: broken\nhint: /,
  ],
])('--once fails with %s, and says why', async (_, edit, expected) => {
  const project = new DevProject('job-watcher');
  project.edit(edit);
  const result = await execa(process.execPath, [otsBinary, 'dev', '--once', '--timeout', '5s'], {
    cwd: project.directory,
    reject: false,
  });
  expect(result.exitCode).toBe(1);
  expect(result.stderr).toMatch(expected);
});

test('--dry-run says what would run, and writes nothing', async () => {
  const { directory } = new DevProject('job-watcher');
  const before = filesOf(directory);
  const run = (...flags: string[]) =>
    execa(process.execPath, [otsBinary, 'dev', '--dry-run', ...flags], { cwd: directory });
  const user = 'system:serviceaccount:job-watcher-system:job-watcher-controller-manager';
  expect(await run()).toMatchObject({
    stdout: `Would run src/main.ts as ${user} in the embedded cluster`,
    stderr: '',
  });
  expect(JSON.parse((await run('--json', '--keep')).stdout)).toEqual({
    command: 'dev',
    root: directory,
    user,
    server: null,
    data: join(directory, 'node_modules/.cache/ots-dev/cluster'),
  });
  expect(filesOf(directory)).toEqual(before);
  expect(existsSync(join(directory, 'node_modules/.cache'))).toBe(false);
});

test('--clock fast: what is due within an hour happens before --once ends', async () => {
  const project = new DevProject('job-watcher');
  const job = {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'pi-1', namespace: 'default' },
    spec: {
      template: {
        spec: { restartPolicy: 'Never', containers: [{ name: 'pi', image: 'perl' }] },
      },
    },
  };
  writeFileSync(join(project.directory, 'config/samples/job.yaml'), JSON.stringify(job));
  project.edit({
    path: 'config/samples/kustomization.yaml',
    replacements: [['resources:', 'resources:\n  - job.yaml']],
  });
  const dev = new DevProcess(project.directory, '--once', '--clock', 'fast');
  expect(await dev.end()).toBe(0);
  expect(dev.state.cluster.ahead).toBeGreaterThanOrEqual(3600);
  const deletions = dev.state.requests.filter(({ verb }) => verb === 'delete');
  expect(deletions).toMatchObject([{ resource: 'jobs.batch', name: 'pi-1', code: 200 }]);
});

test('--keep: the next session continues in the same cluster, another one does not', async () => {
  const { directory } = new DevProject('job-watcher');
  const uids = [];
  for (const flags of [['--keep'], ['--keep'], []]) {
    const dev = new DevProcess(directory, '--once', ...flags);
    expect(await dev.end()).toBe(0);
    uids.push(find(dev.state, 'JobWatcher')!.uid);
  }
  expect(uids[1]).toBe(uids[0]);
  expect(uids[2]).not.toBe(uids[0]);
});
