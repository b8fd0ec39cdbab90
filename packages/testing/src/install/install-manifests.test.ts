import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { send } from 'ots-apiserver';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { crdOf, objectOf, pathOf } from '../../../apiserver/test/support/fixtures.ts';
import { TestEnvironment } from '../environment/test-environment.ts';

const golden = fileURLToPath(new URL('../../../../test/golden/', import.meta.url));
let directory = '';
let environment: TestEnvironment;
beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'ots-install-'));
  // With KUBEBUILDER_ASSETS set, this is a real server.
  environment = await TestEnvironment.start();
}, 60_000);
afterAll(async () => {
  await environment.stop();
  await rm(directory, { recursive: true });
});

const described = (objects: readonly { kind: string; metadata: { name?: string } }[]) =>
  objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`);

async function file(name: string, ...objects: object[]): Promise<string> {
  const target = path.join(directory, name);
  await writeFile(target, objects.map((object) => JSON.stringify(object)).join('\n---\n'));
  return target;
}

test.each(['jobwatcher', 'moved', 'multigroup', 'versions'])(
  'the operator of a scaffolded project is installed; doing it again changes nothing: %s',
  async (name) => {
    const again = () => environment.install(`${golden}${name}/config/default`);
    const first = await again();
    const kinds = first.map(({ kind }) => kind);
    expect(kinds.slice(0, 2)).toEqual(['Namespace', 'CustomResourceDefinition']);
    expect(described(first)).toContain(`ServiceAccount ${name}-controller-manager`);
    // The first answers come before the status of definitions.
    const [second, third] = [await again(), await again()];
    expect(third).toEqual(second);
    const account = { serviceAccount: `${name}-controller-manager`, namespace: `${name}-system` };
    const connection = await environment.as(account);
    const answer = await send(connection, 'GET', '/api/v1/namespaces/default/secrets');
    expect(answer).toMatchObject({ code: 403 });
  },
);

test('definitions are served and namespaces exist before the objects that need them', async () => {
  const all = await file(
    'all.json',
    objectOf('Installed', 'a', {}),
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'not-listed' } },
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'listed' } },
    crdOf('Installed', {}),
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'listed', labels: { a: 'b' } } },
  );
  const applied = await environment.install(all);
  expect(described(applied)).toEqual([
    'Namespace listed',
    `CustomResourceDefinition ${crdOf('Installed', {}).metadata.name}`,
    'Installed a',
    'ConfigMap a',
    'ConfigMap a',
  ]);
  expect(applied[0]?.metadata.labels).toMatchObject({ a: 'b' });
  expect((await send(environment.config, 'GET', `${pathOf('Installed')}/a`)).code).toBe(200);
});

test('objects without a namespace are in that of the options', async () => {
  const all = await file(
    'bare.json',
    { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'bare' } },
    { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'own', namespace: 'own' } },
    { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name: 'bare' }, value: 1 },
  );
  const namespaces = (await environment.install(all, { namespace: 'given' })).map(
    ({ metadata }) => metadata.namespace,
  );
  expect(namespaces).toEqual(['given', 'own', undefined]);
  expect((await environment.install(all))[0]?.metadata.namespace).toBe('default');
});

test('what the server refuses is an error with the file, the document and the message', async () => {
  const bad = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'Bad Name' } };
  const refused = await file('bad.json', { ...bad, metadata: { name: 'good' } }, bad);
  await expect(environment.install(refused)).rejects.toMatchObject({
    code: 'MANIFEST_INSTALL',
    message: expect.stringContaining(
      `${refused}, document 2: The API server refuses ConfigMap "Bad Name": ConfigMap "Bad Name" is invalid: metadata.name`,
    ),
  });
  const unknown = await file('unknown.json', { apiVersion: 'a.com/v1', kind: 'A', metadata: { name: 'a' } });
  await expect(environment.install(unknown)).rejects.toThrow(
    `${unknown}, document 1: The API server does not serve the kind A of a.com/v1`,
  );
  const nameless = await file('nameless.json', { apiVersion: 'v1', kind: 'Secret', metadata: {} });
  await expect(environment.install(nameless)).rejects.toThrow('Secret has no metadata.name');
  const namespace = { ...bad, metadata: { name: 'a', namespace: 'Bad Name' } };
  await expect(environment.install(await file('namespace.json', namespace))).rejects.toThrow(
    'The API server refuses Namespace "Bad Name"',
  );
});
