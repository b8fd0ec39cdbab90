import { type Clock, systemClock } from 'ots-apimachinery/clock/clock';
import { CustomResourceDefinition } from 'ots-kubernetes/apiextensions/v1';
import { ClusterRole, ClusterRoleBinding } from 'ots-kubernetes/rbac/v1';
import { expect, onTestFinished, test } from 'vitest';
import { apiServerFixture } from '../../test/api-server-fixture.ts';
import { Gears } from '../../test/gears.ts';
import { Client } from '../client/client.ts';
import { isForbidden, isNotFound } from '../errors/api-error.ts';
import { waitFor } from '../waiting/wait-for.ts';
import { type StorageMigrationProgress, migrateStorage } from './migrate-storage.ts';

// Runs against the embedded API server, and against a real one when KUBEBUILDER_ASSETS is set.

const server = apiServerFixture();

/** Waits for nothing. The server has one process: it knows of a version as soon as it serves it. */
const hasty: Clock = {
  ...systemClock,
  setTimeout: (callback) => setImmediate(callback),
  clearTimeout: (handle) => clearImmediate(handle as NodeJS.Immediate),
};
const atOnce = { settleTime: 0 };

const migrate = (gears: Gears, options: object = {}, client = server.client) =>
  migrateStorage(client, gears.crd, { ...atOnce, ...options }, { clock: hasty });

/** A kind of its own, whose objects are stored in v1 while v2 is the storage version. */
async function upgraded(plural: string, ...names: string[]): Promise<Gears> {
  const gears = new Gears(server.client, plural);
  await gears.install('v1');
  await gears.create('v1', ...names);
  await gears.setVersions(['v1', 'v2']);
  return gears;
}

/** A client that does something before its first patch of an object. */
function interrupting(act: () => Promise<unknown>): Client {
  class Interrupting extends Client {
    #acted = false;
    override async patch(...args: any[]): Promise<any> {
      if (!this.#acted) {
        this.#acted = true;
        await act();
      }
      return (super.patch as (...all: any[]) => Promise<any>)(...args);
    }
  }
  const client = new Interrupting(server.config);
  onTestFinished(() => client.close());
  return client;
}

test('all objects are rewritten, and then the old version can be removed and is not needed any more', async () => {
  const gears = new Gears(server.client, 'whole');
  const { client } = server;
  await gears.install('v1');
  await gears.create('v1', 'a', 'b');
  const applied = (version: string, text: string) => gears.object(version, 'a', { text });
  await client.apply(gears.kind('v1'), applied('v1', 'one') as never, { fieldOwner: 'applier' });
  await gears.setVersions(['v1', 'v2']);
  const before = await gears.resourceVersions('v2');
  const removal = gears.setVersions(['v2']);
  await expect(removal).rejects.toThrow('was previously a storage version, and must remain in spec.versions');

  const told: StorageMigrationProgress[] = [];
  const onProgress = (progress: StorageMigrationProgress): void => void told.push(progress);
  expect(await migrate(gears, { onProgress })).toEqual({
    crd: gears.crd,
    storageVersion: 'v2',
    droppedVersions: ['v1'],
    rewritten: 2,
  });
  const common = { phase: 'rewriting', crd: gears.crd, storageVersion: 'v2', oldVersions: ['v1'], failed: 0 };
  expect(told).toEqual([
    { ...common, done: 1, remaining: 1 },
    { ...common, done: 2, remaining: 0 },
  ]);
  const { status } = await gears.read();
  expect(status?.storedVersions).toEqual(['v2']);
  expect(status?.conditions?.map(({ type }) => type)).toEqual(['NamesAccepted', 'Established']);
  const after = await gears.resourceVersions('v2');
  for (const [name, version] of before) expect(after.get(name)).not.toBe(version);

  await gears.setVersions(['v2']);
  const found = await client.getOrThrow(gears.kind('v2'), { name: 'a', namespace: 'default' });
  expect(found['spec']).toEqual({ size: 1, text: 'one' });
  const again = await client.apply(gears.kind('v2'), applied('v2', 'two') as never, {
    fieldOwner: 'applier',
  });
  expect(again['spec']).toEqual({ size: 1, text: 'two' });
  expect(
    again.metadata.managedFields?.map(({ manager, operation, apiVersion }) => [
      manager,
      operation,
      apiVersion,
    ]),
  ).toEqual([
    ['applier', 'Apply', 'example.com/v2'],
    [expect.any(String), 'Update', 'example.com/v2'],
  ]);
});

test('there is nothing to do when only the storage version is stored, and it takes one request', async () => {
  const gears = new Gears(server.client, 'fresh');
  await gears.install('v1');
  await gears.create('v1', 'a');
  const before = (await gears.read()).metadata.resourceVersion;
  const onProgress = (): void => expect.fail('there is no progress to tell');
  expect(await migrate(gears, { onProgress })).toEqual({
    crd: gears.crd,
    storageVersion: 'v1',
    droppedVersions: [],
    rewritten: 0,
  });
  expect((await gears.read()).metadata.resourceVersion).toBe(before);
});

test('a kind without objects only loses its old versions', async () => {
  const gears = await upgraded('empty');
  expect(await migrate(gears)).toMatchObject({ droppedVersions: ['v1'], rewritten: 0 });
  expect(await gears.storedVersions()).toEqual(['v2']);
});

test('objects are rewritten in pages, and after an interruption only those that are left', async () => {
  const names = Array.from({ length: 100 }, (_, index) => `gear-${index}`);
  const gears = await upgraded('many', ...names);
  const stop = new AbortController();
  const onProgress = ({ done }: StorageMigrationProgress): void => {
    if (done === 60) stop.abort(new Error('killed'));
  };
  await expect(migrate(gears, { onProgress, pageSize: 25, signal: stop.signal })).rejects.toThrow('killed');
  const { status } = await gears.read();
  expect(status?.storedVersions).toEqual(['v1', 'v2']);
  expect(status?.conditions?.find(({ type }) => type === 'OtsStorageMigration')).toMatchObject({
    status: 'True',
    reason: 'Rewriting',
    message: expect.stringMatching(
      /^Objects are rewritten in v2, since resource version \d+ and generation 2$/,
    ),
  });
  const halfway = await gears.resourceVersions('v2');

  expect(await migrate(gears)).toMatchObject({ rewritten: 40, droppedVersions: ['v1'] });
  const after = await gears.resourceVersions('v2');
  expect(after.size).toBe(100);
  expect(names.filter((name) => after.get(name) === halfway.get(name))).toHaveLength(60);
  await gears.setVersions(['v2']);
  expect((await gears.resourceVersions('v2')).size).toBe(100);
});

test('objects that are deleted, changed, created or replaced meanwhile do not disturb it', async () => {
  const gears = await upgraded('lively', 'changed', 'deleted', 'first', 'replaced');
  const { client } = server;
  const kind = gears.kind('v1');
  const at = (name: string) => ({ name, namespace: 'default' });
  const act = async (): Promise<void> => {
    await client.delete(kind, at('deleted'));
    await client.patch(kind, at('changed'), { spec: { size: 2 } } as never);
    await client.delete(kind, at('replaced'));
    await gears.create('v1', 'replaced', 'created');
    await client.patch(kind, at('first'), { metadata: { labels: { changed: 'yes' } } });
  };
  expect(await migrate(gears, {}, interrupting(act))).toMatchObject({ droppedVersions: ['v1'] });
  await gears.setVersions(['v2']);
  const { items } = await client.list(gears.kind('v2'));
  expect(items.map(({ metadata, spec }) => [metadata.name, metadata.labels, spec])).toEqual([
    ['changed', undefined, { size: 2 }],
    ['created', undefined, { size: 1 }],
    ['first', { changed: 'yes' }, { size: 1 }],
    ['replaced', undefined, { size: 1 }],
  ]);
});

test('an object that the validation of the new version would refuse is rewritten all the same', async () => {
  const gears = await upgraded('strict', 'old');
  const properties = { spec: { type: 'object', properties: { size: { type: 'integer', minimum: 5 } } } };
  const schema = { openAPIV3Schema: { type: 'object', properties } };
  await server.client.patch(CustomResourceDefinition, { name: gears.crd }, {
    spec: {
      versions: [
        { name: 'v1', served: true, storage: false, schema },
        { name: 'v2', served: true, storage: true, schema },
      ],
    },
  } as never);
  await waitFor(async () => {
    const created = gears.create('v2', 'new');
    return created.then(
      () => false,
      () => true,
    );
  });
  expect(await migrate(gears)).toMatchObject({ droppedVersions: ['v1'] });
});

test('if the storage version changes again meanwhile, it starts again for the new one', async () => {
  const gears = await upgraded('moving', 'a', 'b', 'c');
  const client = interrupting(() => gears.setVersions(['v1', 'v2', 'v3']));
  expect(await migrate(gears, { pageSize: 1 }, client)).toMatchObject({
    storageVersion: 'v3',
    droppedVersions: ['v1', 'v2'],
  });
  await gears.setVersions(['v3']);
  expect([...(await gears.resourceVersions('v3')).keys()]).toEqual(['a', 'b', 'c']);
});

test('a version that was the storage version in between is not taken for the one that was recorded', async () => {
  const gears = await upgraded('wavering', 'a');
  const stop = new AbortController();
  const abort = async (): Promise<void> => stop.abort(new Error('killed'));
  await expect(migrate(gears, { signal: stop.signal }, interrupting(abort))).rejects.toThrow('killed');
  // Back to v1, in which an object is stored after the version that is on record, and to v2 again.
  await gears.setVersions(['v2', 'v1'], { names: { ...(await gears.read()).spec.names, shortNames: ['w'] } });
  await waitFor(async () =>
    JSON.stringify(await server.client.raw({ path: '/apis/example.com/v1' })).includes('["w"]'),
  );
  await gears.create('v1', 'late');
  await gears.setVersions(['v1', 'v2']);
  const before = await gears.resourceVersions('v2');
  expect(await migrate(gears)).toMatchObject({ droppedVersions: ['v1'] });
  const after = await gears.resourceVersions('v2');
  expect(after.get('late')).not.toBe(before.get('late'));
});

test('if the CRD is deleted meanwhile, it ends with the news', async () => {
  const gears = await upgraded('doomed', 'a', 'b');
  const remove = async (): Promise<void> => {
    await server.client.delete(CustomResourceDefinition, { name: gears.crd });
    await waitFor(async () => !(await server.client.get(CustomResourceDefinition, { name: gears.crd })));
  };
  const failure = await migrate(gears, { pageSize: 1 }, interrupting(remove)).catch(
    (error: unknown) => error,
  );
  expect(isNotFound(failure)).toBe(true);
  expect(failure).toMatchObject({ message: expect.stringContaining('doomed.example.com') });
});

test('a CRD that does not exist is not found', async () => {
  const failure = await migrate(new Gears(server.client, 'missing')).catch((error: unknown) => error);
  expect(isNotFound(failure)).toBe(true);
});

test('it names the right that is missing, and works with those of its documentation', async () => {
  const gears = await upgraded('guarded', 'a', 'b');
  const client = new Client({ ...server.config, impersonate: { user: 'migrator' } }, { fieldOwner: 'test' });
  onTestFinished(() => client.close());
  const definitions = { apiGroups: ['apiextensions.k8s.io'], resourceNames: [gears.crd] };
  const steps = [
    { ...definitions, resources: ['customresourcedefinitions'], verbs: ['get'] },
    { apiGroups: ['example.com'], resources: ['guarded'], verbs: ['get', 'list', 'watch'] },
    { ...definitions, resources: ['customresourcedefinitions/status'], verbs: ['patch'] },
    { apiGroups: ['example.com'], resources: ['guarded'], verbs: ['patch'] },
  ];
  const name = 'migrator';
  await server.client.create(ClusterRole, {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name },
    rules: [],
  });
  await server.client.create(ClusterRoleBinding, {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name }],
  });
  const failure = () => migrate(gears, {}, client).catch((error: unknown) => error);
  for (const [index, { resources, verbs }] of steps.entries()) {
    let error: unknown;
    const missing = `resources=${resources[0]} verbs=${verbs.join(';')}`;
    await waitFor(async () =>
      String(((error = await failure()) as { hint?: string }).hint).includes(missing),
    );
    expect(isForbidden(error)).toBe(true);
    await server.client.patch(ClusterRole, { name }, { rules: steps.slice(0, index + 1) });
  }
  await waitFor(async () => (await migrate(gears, {}, client)).storageVersion === 'v2');
  expect(await gears.storedVersions()).toEqual(['v2']);
});
