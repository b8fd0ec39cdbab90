import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { send } from 'ots-apiserver';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import {
  crdOf,
  crdsPath,
  objectOf,
  pathOf,
  until,
  versionOf,
} from '../../../apiserver/test/support/fixtures.ts';
import { TestEnvironment } from './test-environment.ts';

const embedded = { env: {} };
let directory = '';
beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'ots-test-environment-'));
});
afterAll(async () => {
  await rm(directory, { recursive: true });
});

async function file(name: string, ...documents: unknown[]): Promise<string> {
  const target = path.join(directory, name);
  await writeFile(target, documents.map((document) => stringify(document)).join('---\n'));
  return target;
}

test('definitions in files with several documents and in directories are served', async () => {
  const many = await file('many.yaml', crdOf('One', {}), null, crdOf('Two', {}), {
    apiVersion: 'v1',
    kind: 'List',
  });
  await using environment = await TestEnvironment.start({ ...embedded, crds: [many] });
  for (const kind of ['One', 'Two']) {
    expect((await send(environment.config, 'GET', pathOf(kind))).code).toBe(200);
  }
  await file('three.yml', crdOf('Three', {}));
  await writeFile(path.join(directory, 'notes.txt'), 'not a manifest');
  await using second = await TestEnvironment.start({ ...embedded, crds: [directory] });
  expect((await send(second.config, 'GET', crdsPath)).body).toMatchObject({ items: [{}, {}, {}] });
});

const conversionBy = (clientConfig: object) => ({
  strategy: 'Webhook',
  webhook: { clientConfig, conversionReviewVersions: ['v1'] },
});

// With KUBEBUILDER_ASSETS set, this uses a real server, which would call the Service.
test('versions that a Service converts work without the Service', async () => {
  const crd = crdOf('Converted', {});
  crd.spec.versions.push(versionOf('v2', false, {}));
  crd.spec.conversion = conversionBy({
    service: { name: 'webhook-service', namespace: 'system', path: '/convert' },
  });
  await using environment = await TestEnvironment.start({ crds: [await file('converted.yaml', crd)] });

  const object = objectOf('Converted', 'one', {});
  expect((await send(environment.config, 'POST', pathOf('Converted'), object)).code).toBe(201);
  const { body } = await send(environment.config, 'GET', `${pathOf('Converted', 'v2')}/one`);
  expect(body).toMatchObject({ apiVersion: 'conformance.example.com/v2', metadata: { name: 'one' } });
}, 60_000);

test('a conversion webhook at a URL stays', async () => {
  const crd = crdOf('Called', {});
  crd.spec.conversion = conversionBy({ url: 'https://localhost:9443/convert' });
  const crds = [await file('called.yaml', crd)];
  await using environment = await TestEnvironment.start({ ...embedded, crds });
  const { body } = await send(environment.config, 'GET', `${crdsPath}/${crd.metadata.name}`);
  expect(body).toMatchObject({ spec: { conversion: { strategy: 'Webhook' } } });
});

test('objects are created in their namespaces', async () => {
  const crd = await file('objects.yaml', crdOf('Held', {}));
  const objects = [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'mine' } },
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'mine' } },
    objectOf('Held', 'b', {}),
  ];
  await using environment = await TestEnvironment.start({ ...embedded, crds: [crd], objects });
  expect((await send(environment.config, 'GET', '/api/v1/namespaces/mine/configmaps/a')).code).toBe(200);
  expect((await send(environment.config, 'GET', `${pathOf('Held')}/b`)).code).toBe(200);
});

test('the kubeconfig points to the same server', async () => {
  await using environment = await TestEnvironment.start(embedded);
  const kubeconfig = parse(environment.kubeconfig);
  expect(kubeconfig).toMatchObject({ kind: 'Config', 'current-context': 'test-environment' });
  expect(kubeconfig.clusters[0].cluster).toStrictEqual({ server: environment.config.server });
});

test('the kubeconfig is available as a file until stop', async () => {
  const environment = await TestEnvironment.start(embedded);
  const kubeconfig = await environment.kubeconfigFile();
  expect(await environment.kubeconfigFile()).toBe(kubeconfig);
  expect(await readFile(kubeconfig, 'utf8')).toBe(environment.kubeconfig);
  const [jane, joe] = [
    await environment.kubeconfigFile({ user: 'jane' }),
    await environment.kubeconfigFile({ user: 'joe' }),
  ];
  expect(new Set([kubeconfig, jane, joe]).size).toBe(3);
  expect(await readFile(jane, 'utf8')).toContain('client-certificate-data');
  for (const one of [kubeconfig, jane]) expect((await stat(one)).mode & 0o777).toBe(0o600);
  await environment.stop();
  await expect(stat(path.dirname(kubeconfig))).rejects.toMatchObject({ code: 'ENOENT' });
});

test('the requested controllers run', async () => {
  await using environment = await TestEnvironment.start({ ...embedded, controllers: true });
  const account = '/api/v1/namespaces/default/serviceaccounts/default';
  await until(async () => (await send(environment.config, 'GET', account)).code === 200);
  const { body } = await send(environment.config, 'GET', '/api/v1/serviceaccounts?limit=1');
  expect(body).toMatchObject({ items: [{ metadata: { name: 'default' } }] });
});

test.each([
  ['controllers', { controllers: true }],
  ['workloads', { workloads: true }],
])('requested %s without a kube-controller-manager are an error', async (_, options) => {
  const env = { KUBEBUILDER_ASSETS: directory };
  await expect(TestEnvironment.start({ env, ...options })).rejects.toMatchObject({
    code: 'CONTROL_PLANE',
    message: expect.stringContaining('kube-controller-manager is missing from'),
  });
});

test('environments are independent', async () => {
  await using first = await TestEnvironment.start(embedded);
  await using second = await TestEnvironment.start(embedded);
  await send(first.config, 'POST', '/api/v1/namespaces', { metadata: { name: 'only-here' } });
  expect((await send(second.config, 'GET', '/api/v1/namespaces/only-here')).code).toBe(404);
});

test('after stop nothing listens, and a second stop does nothing', async () => {
  const environment = await TestEnvironment.start(embedded);
  await environment.stop();
  await environment.stop();
  await expect(send(environment.config, 'GET', '/readyz')).rejects.toThrow('ECONNREFUSED');
});

test('what was started beside the server stops before it, the last one first', async () => {
  const environment = await TestEnvironment.start();
  const stopped: string[] = [];
  for (const name of ['first', 'second'])
    environment.onStop(async () => {
      const { code } = await send(environment.config, 'GET', '/version');
      stopped.push(`${name} ${code}`);
    });
  await environment.stop();
  expect(stopped).toEqual(['second 200', 'first 200']);
});

test('a function that fails keeps nothing else from stopping', async () => {
  const environment = await TestEnvironment.start(embedded);
  const stopped: string[] = [];
  environment.onStop(async () => void stopped.push('first'));
  environment.onStop(async () => {
    throw new Error('stuck');
  });
  await expect(environment.stop()).rejects.toThrow('stuck');
  expect(stopped).toEqual(['first']);
  await expect(send(environment.config, 'GET', '/version')).rejects.toThrow('ECONNREFUSED');
  await environment.stop();
});

test('a path that does not exist is an error that names it', async () => {
  const missing = path.join(directory, 'missing');
  await expect(TestEnvironment.start({ ...embedded, crds: [missing] })).rejects.toMatchObject({
    code: 'CRD_PATH',
    message: expect.stringContaining(missing),
  });
});

test('a file that is not a manifest is an error that names it', async () => {
  const broken = path.join(directory, 'broken.yaml');
  await writeFile(broken, 'a: [');
  const error = { code: 'CRD_FILE', message: expect.stringContaining(broken) };
  await expect(TestEnvironment.start({ ...embedded, crds: [broken] })).rejects.toMatchObject(error);
  await writeFile(broken, 'a: b');
  await expect(TestEnvironment.start({ ...embedded, crds: [broken] })).rejects.toMatchObject(error);
  await writeFile(broken, 'a: &a [*a]');
  await expect(TestEnvironment.start({ ...embedded, crds: [broken] })).rejects.toMatchObject(error);
  await rm(broken);
});

test('a definition that the server refuses is an error that says why', async () => {
  const bad = await file('bad.json', { ...crdOf('Bad', {}), metadata: { name: 'other' } });
  await expect(TestEnvironment.start({ ...embedded, crds: [bad] })).rejects.toMatchObject({
    code: 'CRD_INSTALL',
    message: expect.stringContaining('must be spec.names.plural+"."+spec.group'),
  });
  await rm(bad);
});

test('an object of an unknown kind is an error', async () => {
  const objects = [{ apiVersion: 'example.com/v1', kind: 'Nope', metadata: { name: 'a' } }];
  await expect(TestEnvironment.start({ ...embedded, objects })).rejects.toMatchObject({
    code: 'CRD_INSTALL',
    message: expect.stringContaining('does not serve the kind Nope of example.com/v1'),
  });
});

test('missing assets are an error that says what to do', async () => {
  const env = { KUBEBUILDER_ASSETS: path.join(directory, 'no-assets') };
  await expect(TestEnvironment.start({ env })).rejects.toMatchObject({
    code: 'CONTROL_PLANE',
    message: expect.stringContaining('KUBEBUILDER_ASSETS'),
    cause: expect.objectContaining({ code: 'ENOENT' }),
  });
});

test('the stack of an error contains the line that started the environment', async () => {
  const bad = await file('bad.json', { ...crdOf('Bad', {}), metadata: { name: 'other' } });
  const objects = [{ apiVersion: 'example.com/v1', kind: 'Nope', metadata: { name: 'a' } }];
  const env = { KUBEBUILDER_ASSETS: path.join(directory, 'no-assets') };
  for (const options of [{ ...embedded, crds: [bad] }, { ...embedded, objects }, { env }]) {
    const author = async (): Promise<void> => void (await TestEnvironment.start(options));
    const error = await author().catch((thrown: unknown) => thrown as Error);
    expect(error?.stack).toMatch(/at (async )?author .*test-environment\.test\.ts/);
  }
  await rm(bad);
});

test('an environment returns to a snapshot and restarts at its address', async () => {
  await using environment = await TestEnvironment.start(embedded);
  const configMaps = '/api/v1/namespaces/default/configmaps';
  const codeOf = async (name: string) =>
    (await send(environment.config, 'GET', `${configMaps}/${name}`)).code;
  await send(environment.config, 'POST', configMaps, { metadata: { name: 'kept' } });
  const snapshot = environment.snapshot();
  await send(environment.config, 'DELETE', `${configMaps}/kept`);
  await send(environment.config, 'POST', configMaps, { metadata: { name: 'later' } });
  await environment.restart();
  expect([await codeOf('kept'), await codeOf('later')]).toEqual([404, 200]);
  await environment.restore(snapshot);
  expect([await codeOf('kept'), await codeOf('later')]).toEqual([200, 404]);
});
