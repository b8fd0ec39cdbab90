import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { Deployment } from 'ots-kubernetes/apps/v1';
import { Client } from 'ots-runtime';
import { TestEnvironment } from 'ots-testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DevProcess } from '../support/dev-process.ts';
import { DevProject } from '../support/dev-project.ts';
import { otsBinary } from '../support/ots-binary.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

// `ots dev` in a cluster that runs already: the embedded API server, or a real one when KUBEBUILDER_ASSETS is set.

const reconciler = 'src/controllers/job-watcher.controller.ts';
let environment: TestEnvironment;
let client: Client;

beforeAll(async () => {
  environment = await TestEnvironment.start({});
  client = new Client(environment.config);
});

afterAll(async () => {
  await client.close();
  await environment.stop();
});

async function run(cwd: string, ...flags: string[]): Promise<{ exitCode?: number; stderr: string }> {
  return execa(process.execPath, [otsBinary, 'dev', ...flags], { cwd, reject: false });
}

test('the operator runs here and works there, with the rights of its ServiceAccount, until it ends', async () => {
  const project = new DevProject('job-watcher');
  const kubeconfig = await environment.kubeconfigFile();
  const dev = new DevProcess(project.directory, '--kubeconfig', kubeconfig);
  const [watcher] = await dev.until('the sample is reconciled', ({ objects, reconciles }) => {
    const watchers = Object.values(objects).filter(({ kind }) => kind === 'JobWatcher');
    return reconciles.some(({ result }) => result) && watchers.length > 0 && watchers;
  });
  expect(dev.state.cluster).toMatchObject({ url: environment.config.server, kubeconfig, isEmbedded: false });

  // What the embedded server reports, the operator does.
  const used = await dev.until('its rights', ({ rights }) => {
    const rules = rights.granted.filter(({ isUsed }) => isUsed).map(({ rule }) => rule);
    return rules.some((rule) => rule.includes('jobwatchers/status')) && rules;
  });
  expect(used).toContain('@rbac groups=batch resources=jobs verbs=watch');
  const requests = dev.state.requests.map(({ verb, resource, code }) => `${verb} ${resource} ${code}`);
  expect(requests).toEqual(
    expect.arrayContaining([
      'list jobs.batch 200',
      'watch jobs.batch 200',
      'patch jobwatchers.batch.my.github.com/status 200',
    ]),
  );
  expect(dev.state.logs.map(({ message }) => message)).toContain(
    'The webhooks are left out: the cluster cannot call this machine',
  );
  await expect(dev.act({ action: 'advance', seconds: 60 })).rejects.toThrow(
    'Only the embedded cluster can do this',
  );

  // A rule that is missing can be copied.
  const rule = ' * @rbac groups=batch resources=jobs verbs=list;watch;delete\n';
  project.edit({ path: reconciler, replacements: [[rule, '']] });
  const missing = await dev.until('the missing rule', ({ rights }) => rights.missing[0]);
  expect(missing.rule).toBe('@rbac groups=batch resources=jobs verbs=get;list;watch');

  expect(await dev.end('SIGINT')).toBe(130);
  expect(readFileSync(kubeconfig, 'utf8')).toContain(environment.config.server);
  expect(await client.raw({ path: `/apis/${watcher!.apiVersion}/jobwatchers` })).toMatchObject({
    items: [{ metadata: { uid: watcher!.uid } }],
  });
});

test('with --once, it says what stays in the cluster; a second operator is refused', async () => {
  const { directory } = new DevProject('job-watcher');
  const kubeconfig = await environment.kubeconfigFile();
  const once = await run(directory, '--once', '--kubeconfig', kubeconfig);
  expect(once).toMatchObject({
    exitCode: 0,
    stderr: 'What ots dev applied stays in the cluster. Remove it with ots undeploy.',
  });
  const labels = { app: 'watcher' };
  const namespace = 'job-watcher-system';
  await client.create(Deployment, {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'job-watcher-controller-manager', namespace },
    spec: {
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'manager', image: 'watcher' }] } },
    },
  });
  expect(await run(directory, '--once', '--kubeconfig', kubeconfig)).toMatchObject({
    exitCode: 1,
    stderr: [
      `error: The operator runs in the cluster: Deployment ${namespace}/job-watcher-controller-manager`,
      `hint: Stop it with ots undeploy, or with kubectl scale --replicas=0 --namespace=${namespace} deployment/job-watcher-controller-manager.`,
    ].join('\n'),
  });
});

test('a cluster elsewhere is used only on request, and flags about the embedded one are refused', async () => {
  const { directory } = new DevProject('job-watcher');
  const text = readFileSync(await environment.kubeconfigFile(), 'utf8');
  const kubeconfig = join(temporaryDirectory(), 'kubeconfig');
  writeFileSync(kubeconfig, text.replace(/server: .*/, 'server: https://cluster.example.com'));
  const elsewhere = await run(directory, '--once', '--kubeconfig', kubeconfig);
  expect(elsewhere.exitCode).toBe(1);
  expect(elsewhere.stderr).toMatch(/^error: The cluster of the context ".*" is not on this machine: /);
  for (const flags of [['--keep'], ['--data', 'here'], ['--clock', 'fast']]) {
    const { exitCode, stderr } = await run(directory, ...flags, '--kubeconfig', kubeconfig);
    expect([exitCode, stderr.split('\n')[0]]).toEqual([
      2,
      `error: ${flags.join(' ').replace(' here', '')} is about the embedded cluster`,
    ]);
  }
});
