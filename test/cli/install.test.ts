import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { CustomResourceDefinition } from 'ots-kubernetes/apiextensions/v1';
import { Client, defineKind, waitFor } from 'ots-runtime';
import { TestEnvironment } from 'ots-testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { install } from '../../src/commands/install/install.ts';
import { uninstall } from '../../src/commands/install/uninstall.ts';
import type { ClusterOptions } from '../../src/commands/shared/cluster-options.ts';
import { buildOf, runOnCluster } from '../support/cluster-run.ts';
import { fakeTerminal } from '../support/fake-terminal.ts';
import { run } from '../support/run.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const project = fileURLToPath(new URL('../golden/jobwatcher', import.meta.url));
const name = 'jobwatchers.batch.my.github.com';
const line = `customresourcedefinition.apiextensions.k8s.io/${name}`;
const JobWatcher = defineKind({
  apiVersion: 'batch.my.github.com/v1',
  kind: 'JobWatcher',
  plural: 'jobwatchers',
  scope: 'Namespaced',
});
let environment: TestEnvironment;
let client: Client;
let options: ClusterOptions;

beforeAll(async () => {
  environment = await TestEnvironment.start();
  client = new Client(environment.config, { fieldOwner: 'test' });
  options = { cwd: project, kubeconfig: await environment.kubeconfigFile() };
});
afterAll(async () => {
  await client.close();
  await environment.stop();
});
beforeEach(async () => {
  if (await client.get(CustomResourceDefinition, { name })) await uninstalled({ yes: true });
});

const installed = (more: ClusterOptions = {}) => runOnCluster(install, { ...options, ...more });
const uninstalled = (more: ClusterOptions = {}) => runOnCluster(uninstall, { ...options, ...more });
const createWatcher = (metadata: object) =>
  client.create(JobWatcher, {
    apiVersion: JobWatcher.apiVersion,
    kind: 'JobWatcher',
    metadata: { name: 'web', namespace: 'default', ...metadata },
    spec: { message: 'Hello' },
  } as never);

test('install applies the definitions, waits until they are served, and changes nothing again', async () => {
  expect(await installed()).toEqual({ code: 0, stdout: `${line} created\n`, stderr: '' });
  expect((await client.list(JobWatcher)).items).toEqual([]);
  const found = await client.getOrThrow(CustomResourceDefinition, { name });
  expect(found.metadata.managedFields?.map(({ manager, operation }) => [manager, operation])).toContainEqual([
    'ots',
    'Apply',
  ]);
  expect(await installed()).toEqual({ code: 0, stdout: `${line} unchanged\n`, stderr: '' });
});

test('the server decides about --dry-run, which writes nothing and shows a diff', async () => {
  const first = await installed({ dryRun: true });
  expect(first.stdout).toContain(`${line} created (dry run)\n--- /dev/null\n+++ applied/${line}\n`);
  expect(await client.get(CustomResourceDefinition, { name })).toBeUndefined();
  await installed();
  expect(await installed({ dryRun: true })).toMatchObject({ stdout: `${line} unchanged (dry run)\n` });
  await client.patch(CustomResourceDefinition, { name }, {
    spec: { names: { shortNames: ['jw', 'watch'] } },
  } as never);
  const { stdout } = await installed({ dryRun: true, forceConflicts: true });
  expect(stdout).toContain(`${line} configured (dry run)`);
  expect(stdout).toMatch(/^- +- watch$/m);
  expect(stdout).not.toMatch(/managedFields|resourceVersion|uid/);
});

test('a conflict names the manager and the field, and --force-conflicts takes the field over', async () => {
  await installed();
  const patch = { spec: { names: { shortNames: ['watch'] } } } as never;
  await client.patch(CustomResourceDefinition, { name }, patch, { fieldOwner: 'admin' });
  expect(await installed()).toEqual({
    code: 1,
    stdout: '',
    stderr: `error: ${line}: "admin" owns .spec.names.shortNames
hint: Remove the field from config/ to leave it to its owner, or take it over with --force-conflicts.
`,
  });
  expect(await installed({ forceConflicts: true })).toMatchObject({ stdout: `${line} configured\n` });
});

test('--json prints one document', async () => {
  const { stdout } = await installed({ json: true });
  expect(JSON.parse(stdout)).toEqual({
    command: 'install',
    context: 'test-environment',
    server: environment.config.server,
    dryRun: false,
    objects: [
      { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', name, action: 'created' },
    ],
  });
});

describe('uninstall', () => {
  test('deletes the definitions, and nothing the second time', async () => {
    await installed();
    expect(await uninstalled({ dryRun: true })).toMatchObject({ stdout: `${line} deleted (dry run)\n` });
    expect(await uninstalled()).toEqual({ code: 0, stdout: `${line} deleted\n`, stderr: '' });
    expect(await uninstalled()).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  test('refuses to delete objects without --yes', async () => {
    await installed();
    await createWatcher({});
    expect(await uninstalled()).toEqual({
      code: 1,
      stdout: '',
      stderr: `error: With the CRDs the server would delete 1 ${name}
hint: Delete the objects first, or add --yes to delete them together with the CRDs.
`,
    });
    expect(await uninstalled({ yes: true })).toMatchObject({ code: 0 });
  });

  test('waits for finalizers, and says which ones', async () => {
    await installed();
    const watcher = await createWatcher({ finalizers: ['example.com/clean-up'] });
    const failed = await uninstalled({ yes: true, timeout: '300ms' });
    expect(failed.code).toBe(1);
    expect(failed.stderr).toMatch(`error: ${line} still exists after 300 ms`);
    const ended = uninstalled({ yes: true });
    await client.patch(JobWatcher, watcher.metadata as never, { metadata: { finalizers: null } } as never);
    expect(await ended).toMatchObject({ code: 0 });
  });
});

test('a definition whose names are taken fails at once with the reason', async () => {
  await installed();
  const other = structuredClone(await client.getOrThrow(CustomResourceDefinition, { name }));
  const taken = {
    apiVersion: other.apiVersion,
    kind: other.kind,
    metadata: { name: `watchers.batch.my.github.com` },
    spec: { ...other.spec, names: { plural: 'watchers', kind: 'JobWatcher', listKind: 'WatcherList' } },
  };
  const { code, stderr } = await runOnCluster(install, options, {}, buildOf([taken]));
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /^error: .*\/watchers.batch.my.github.com is not established: .*"JobWatcher" is already in use/,
  );
  await client.delete(CustomResourceDefinition, { name: taken.metadata.name });
});

test('an interrupted wait says so, and the exit code is that of the signal', async () => {
  await installed();
  await createWatcher({ finalizers: ['example.com/clean-up'] });
  let interrupt: (signal: NodeJS.Signals) => void = () => {};
  const untilSignal = () => new Promise<NodeJS.Signals>((resolve) => (interrupt = resolve));
  const ended = runOnCluster(uninstall, { ...options, yes: true }, { untilSignal });
  await waitFor(
    async () => (await client.getOrThrow(CustomResourceDefinition, { name })).metadata.deletionTimestamp,
  );
  interrupt('SIGINT');
  expect(await ended).toEqual({
    code: 130,
    stdout: expect.any(String),
    stderr: 'Interrupted: 0 objects have changed. Run the command again to finish.\n',
  });
  await client.patch(JobWatcher, { name: 'web', namespace: 'default' }, {
    metadata: { finalizers: null },
  } as never);
});

test('a server that does not respond, and a context that does not exist, are one line each', async () => {
  const kubeconfig = join(temporaryDirectory(), 'kubeconfig');
  writeFileSync(
    kubeconfig,
    JSON.stringify({
      clusters: [{ name: 'gone', cluster: { server: 'http://127.0.0.1:1' } }],
      contexts: [{ name: 'gone', context: { cluster: 'gone' } }],
      'current-context': 'gone',
    }),
  );
  expect(await installed({ kubeconfig })).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /^error: Cannot reach http:\/\/127\.0\.0\.1:1: .*\nhint: Check the server.*\n$/,
    ),
  });
  expect((await installed({ context: 'nope' })).stderr).toMatch(
    /^error: .* has no context "nope"\nhint: Choose one of: .*test-environment.*\n$/,
  );
});

test('a user without the right to do it is one line', async () => {
  const kubeconfig = await environment.kubeconfigFile({ user: 'jane' });
  const { stderr } = await installed({ kubeconfig });
  expect(stderr).toMatch(
    /^error: customresourcedefinition.*forbidden: User "jane" cannot get resource .*\nhint: Use a context whose user may do this/,
  );
});

describe('a cluster that is not local', () => {
  const remote = (): string => {
    const kubeconfig = join(temporaryDirectory(), 'kubeconfig');
    writeFileSync(
      kubeconfig,
      JSON.stringify({
        clusters: [{ name: 'far', cluster: { server: 'https://prod.example.com' } }],
        contexts: [{ name: 'prod', context: { cluster: 'far' } }],
        'current-context': 'prod',
      }),
    );
    return kubeconfig;
  };

  test('needs --yes without a terminal', async () => {
    expect((await installed({ kubeconfig: remote() })).stderr).toBe(
      'error: The cluster of the context "prod" is not on this machine: https://prod.example.com\n' +
        'hint: Choose another one with --context, or add --yes to use it without a question.\n',
    );
  });
});

describe('at a terminal', () => {
  /** Runs a command and types an answer when the question is drawn. */
  async function answered(command: typeof install, answer: string, more: ClusterOptions) {
    const stdin = new PassThrough();
    const terminal = fakeTerminal();
    terminal.stream.once('data', () => setImmediate(() => stdin.write(answer)));
    const context = {
      stdin: stdin as unknown as NodeJS.ReadStream,
      stderr: terminal.stream,
      interactive: true,
      env: { TERM: 'dumb' },
    };
    const { code, stdout } = await runOnCluster(command, { ...options, ...more }, context);
    return { code, stdout, asked: terminal.text() };
  }

  test('the loss of objects is asked about, and no is the default', async () => {
    await installed();
    await createWatcher({});
    const question = `Also delete 1 ${name}?`;
    const no = await answered(uninstall, '\r', {});
    expect(no).toMatchObject({ code: 1, stdout: '', asked: expect.stringContaining(question) });
    expect(no.asked).toContain('error: Canceled\n');
    expect(await answered(uninstall, 'y', {})).toMatchObject({ code: 0, stdout: `${line} deleted\n` });
  });
});

test('wrong flags are refused before anything else', async () => {
  expect(await run(project, ['install', '--dry-run=client'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Expected server'),
  });
  expect(await installed({ timeout: 'soon' })).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^error: "soon" is not a duration\n/),
  });
});
