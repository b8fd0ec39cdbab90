import { readFileSync, writeFileSync } from 'node:fs';
import { Writable } from 'node:stream';
import { CustomResourceDefinition } from 'ots-kubernetes/apiextensions/v1';
import { Client, unstructured, waitFor } from 'ots-runtime';
import { TestEnvironment } from 'ots-testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrateStorages } from '../../src/commands/migrate-storage/migrate-storage.ts';
import type { MigrateStorageOptions } from '../../src/commands/migrate-storage/migrate-storage.ts';
import { runOnCluster } from '../support/cluster-run.ts';
import type { Context } from '../../src/context.ts';
import { run } from '../support/run.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { testProject } from '../support/test-project.ts';

// Runs against the embedded API server, and against a real one when KUBEBUILDER_ASSETS is set.

let environment: TestEnvironment;
let client: Client;
let kubeconfig: string;
beforeAll(async () => {
  environment = await TestEnvironment.start();
  client = new Client(environment.config, { fieldOwner: 'test' });
  kubeconfig = await environment.kubeconfigFile();
}, 60_000);
afterAll(async () => {
  await client.close();
  await environment.stop();
});

const migrate = (options: MigrateStorageOptions, context: Partial<Context> = {}, settleTime = 0) =>
  runOnCluster(
    (given: MigrateStorageOptions, whole) => migrateStorages(given, whole, settleTime),
    { kubeconfig, ...options },
    context,
  );

interface Definition {
  plural: string;
  group?: string;
  kind?: string;
}

function version(name: string, storage: boolean): object {
  const openAPIV3Schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  return { name, served: true, storage, schema: { openAPIV3Schema } };
}

/** Makes v2 the storage version of a kind that has objects in v1. @returns the name of the CRD */
async function upgraded(
  { plural, group = 'cli.example.com', kind = `${plural[0]!.toUpperCase()}${plural.slice(1)}` }: Definition,
  count: number,
  on = client,
): Promise<string> {
  const name = `${plural}.${group}`;
  const crd = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name },
    spec: { group, scope: 'Namespaced', names: { kind, plural }, versions: [version('v1', true)] },
  };
  await on.create(CustomResourceDefinition, crd as never);
  const kindIn = (v: string) =>
    unstructured({ apiVersion: `${group}/${v}`, kind, plural, scope: 'Namespaced' });
  const served = (v: string) =>
    waitFor(async () => {
      await on.get(kindIn(v), { name: 'missing', namespace: 'default' });
      return true;
    });
  await served('v1');
  for (let index = 0; index < count; index += 1) {
    const metadata = { name: `object-${index}`, namespace: 'default' };
    await on.create(kindIn('v1'), { apiVersion: `${group}/v1`, kind, metadata });
  }
  await on.patch(CustomResourceDefinition, { name }, {
    spec: { versions: [version('v1', false), version('v2', true)] },
  } as never);
  await served('v2');
  return name;
}

const createCaptain = 'create api --group crew --version v1 --kind Captain --resource --controller'.split(
  ' ',
);

const storedVersions = async (name: string) =>
  (await client.getOrThrow(CustomResourceDefinition, { name })).status?.storedVersions;

test('it rewrites the objects and drops the old version, and the second time there is nothing to do', async () => {
  const name = await upgraded({ plural: 'twos' }, 2);
  expect(await migrate({ crd: [name], dryRun: true })).toEqual({
    code: 0,
    stdout: `${name}: 2 objects to rewrite in v2, v1 to drop (dry run)\n`,
    stderr: '',
  });
  expect(await storedVersions(name)).toEqual(['v1', 'v2']);
  expect(await migrate({ crd: [name] })).toEqual({
    code: 0,
    stdout: `${name}: 2 objects rewritten in v2, v1 dropped\n`,
    stderr: '',
  });
  expect(await storedVersions(name)).toEqual(['v2']);
  for (const dryRun of [true, false])
    expect(await migrate({ crd: [name], dryRun })).toMatchObject({
      stdout: `${name}: nothing to do, only v2 is stored\n`,
    });
});

test('a kind names its CRD, --json prints one document, and --quiet nothing', async () => {
  const name = await upgraded({ plural: 'ones', kind: 'One' }, 1);
  const common = { command: 'migrate-storage', context: 'test-environment', objects: [] };
  const dry = await migrate({ crd: ['One'], dryRun: true, json: true });
  expect(JSON.parse(dry.stdout)).toMatchObject({
    ...common,
    dryRun: true,
    migrations: [{ crd: name, storageVersion: 'v2', oldVersions: ['v1'], objects: 1 }],
  });
  const done = await migrate({ crd: ['ones', 'one'], json: true });
  expect(JSON.parse(done.stdout)).toMatchObject({
    ...common,
    dryRun: false,
    migrations: [{ crd: name, storageVersion: 'v2', droppedVersions: ['v1'], rewritten: 1 }],
  });
  expect(await migrate({ crd: [name], quiet: true })).toEqual({ code: 0, stdout: '', stderr: '' });
});

test('it says every five seconds how far it is', async () => {
  const name = await upgraded({ plural: 'slows' }, 4);
  let time = 0;
  const now = (): Date => new Date((time += 3000));
  expect((await migrate({ crd: [name] }, { now })).stdout).toBe(
    `${name}: 2 of 4 objects\n${name}: 4 of 4 objects\n${name}: 4 objects rewritten in v2, v1 dropped\n`,
  );
});

test('after a signal, the command continues where it stopped', async () => {
  const name = await upgraded({ plural: 'signaleds' }, 1);
  let send: (signal: NodeJS.Signals) => void = () => {};
  const signal = new Promise<NodeJS.Signals>((resolve) => (send = resolve));
  const write = (chunk: Buffer, _: string, done: () => void): void => {
    if (chunk.includes('waiting for')) send('SIGINT');
    done();
  };
  const stdout = new Writable({ write }) as NodeJS.WriteStream;
  const ended = migrate({ crd: [name] }, { untilSignal: () => signal, stdout }, 60_000);
  const { code, stderr } = await ended;
  expect([code, stderr]).toEqual([
    130,
    'Interrupted: run the command again, which continues where it stopped.\n',
  ]);
  expect(await migrate({ crd: [name] })).toMatchObject({ code: 0 });
});

test('--all finds what is left to do in the cluster', async () => {
  const names = [await upgraded({ plural: 'alls' }, 1), await upgraded({ plural: 'others' }, 0)];
  const { stdout } = await migrate({ all: true });
  expect(stdout.split('\n').filter(Boolean).toSorted()).toEqual([
    `${names[0]}: 1 object rewritten in v2, v1 dropped`,
    `${names[1]}: 0 objects rewritten in v2, v1 dropped`,
  ]);
  expect(await migrate({ all: true })).toEqual({
    code: 0,
    stdout: 'Nothing to do: all CRDs of the cluster store only their storage version.\n',
    stderr: '',
  });
});

test('it waits until all API servers know of the storage version, and says so', async () => {
  const name = await upgraded({ plural: 'settlings' }, 0);
  const { stdout } = await migrate({ crd: [name] }, {}, 1500);
  expect(stdout).toMatch(
    /^waiting for every API server to store settlings\.cli\.example\.com in v2, for [12] s\n/,
  );
  expect(stdout).toContain('v1 dropped');
});

test('without names it migrates the CRDs of the project', async () => {
  const project = await testProject(createCaptain);
  const group = 'crew.example.com';
  const name = await upgraded({ plural: 'captains', kind: 'Captain', group }, 1);
  expect(await migrate({ cwd: project.directory })).toMatchObject({
    stdout: `${name}: 1 object rewritten in v2, v1 dropped\n`,
  });
});

test('a project without CRDs, and a directory without a project, say what to name', async () => {
  const project = await testProject();
  expect(await migrate({ cwd: project.directory })).toEqual({
    code: 1,
    stdout: '',
    stderr:
      'error: The project has no CRDs\n' +
      'hint: Name those of others, such as ots migrate-storage jobs.example.com, or use --all.\n',
  });
  expect(await migrate({ cwd: temporaryDirectory() })).toEqual({
    code: 2,
    stdout: '',
    stderr:
      'error: The name of a CRD is missing\n' +
      'hint: Name CRDs, such as ots migrate-storage jobs.example.com, use --all, or run the command in a project.\n',
  });
  expect(await migrate({ crd: ['a'], all: true })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--all and the names of CRDs exclude each other'),
  });
});

test('a CRD that the cluster does not have, and a kind of two groups, are refused', async () => {
  await upgraded({ plural: 'clocks', kind: 'Clock' }, 0);
  await upgraded({ plural: 'clocks', kind: 'Clock', group: 'cli2.example.com' }, 0);
  for (const name of ['missing.example.com', 'Missing'])
    expect(await migrate({ crd: [name] })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(
        `error: The cluster has no CRD "${name}"\nhint: kubectl get crds lists them.`,
      ),
    });
  expect(await migrate({ crd: ['clock'] })).toMatchObject({
    code: 1,
    stderr:
      'error: "clock" is clocks.cli.example.com and clocks.cli2.example.com\nhint: Name one of these CRDs.\n',
  });
});

test('it asks before it changes a cluster that is not local', async () => {
  const { port, hostname } = new URL(environment.config.server);
  const directory = temporaryDirectory();
  const remote = readFileSync(kubeconfig, 'utf8').replace(`${hostname}:${port}`, `192.0.2.1:${port}`);
  writeFileSync(`${directory}/remote`, remote);
  expect(await migrate({ crd: ['a.example.com'], kubeconfig: `${directory}/remote` })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('is not on this machine'),
  });
});

test('a missing right is named', async () => {
  const name = await upgraded({ plural: 'rights' }, 0);
  const stranger = await environment.kubeconfigFile({ user: 'stranger' });
  const { code, stderr } = await migrate({ crd: [name], kubeconfig: stranger });
  expect(code).toBe(1);
  expect(stderr).toContain('User "stranger" cannot get resource "customresourcedefinitions"');
  expect(stderr).toContain('hint: Use a context whose user may do this (--context)');
});

test('objects that cannot be rewritten are named, and do not stop other CRDs', async () => {
  await using broken = await TestEnvironment.start({ env: {} });
  const own = new Client(broken.config, { fieldOwner: 'test' });
  const crds = [await upgraded({ plural: 'bads' }, 2, own), await upgraded({ plural: 'goods' }, 1, own)];
  broken.faults.add({ verbs: ['patch'], resource: 'bads', name: 'object-1' }, { answer: 'InternalError' });
  const options = { crd: crds, kubeconfig: await broken.kubeconfigFile() };
  const { code, stdout, stderr } = await migrate(options);
  expect([code, stdout]).toEqual([1, `${crds[1]}: 1 object rewritten in v2, v1 dropped\n`]);
  expect(stderr).toMatch(
    /^error: 1 object of bads\.cli\.example\.com could not be rewritten in v2: default\/object-1: /,
  );
  expect(stderr).toContain('v1 stays in status.storedVersions');
  const { error } = JSON.parse((await migrate({ ...options, json: true })).stdout) as { error: object };
  expect(error).toMatchObject({
    code: 'STORAGE_MIGRATION',
    details: { failures: [{ name: 'object-1', namespace: 'default' }], migrations: [{ crd: crds[1] }] },
  });
  await own.close();
});

test('the help has examples and flags, and completion offers the kinds of the project', async () => {
  const { stdout } = await run(temporaryDirectory(), ['migrate-storage', '--help']);
  expect(stdout).toContain('ots migrate-storage jobs.example.com');
  for (const flag of ['--all', '--dry-run', '--context', '--kubeconfig', '--json', '--yes'])
    expect(stdout).toContain(flag);
  const project = await testProject(createCaptain);
  const completed = await project.run('__complete', '--', 'migrate-storage', 'C');
  expect(completed.stdout).toBe('Captain\t\n');
});
