import { ConfigMap, Namespace, Secret } from 'ots-kubernetes/core/v1';
import { ClusterRole } from 'ots-kubernetes/rbac/v1';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { apiServerFixture } from '../../test/api-server-fixture.ts';
import { App, Fleet, ownerCrds } from '../../test/owners.ts';
import type { Client } from '../client/client.ts';
import { compositeController } from '../composite/composite-controller.ts';
import { desiredChild } from '../composite/desired-child.ts';
import { createLogger } from '../logging/create-logger.ts';
import type { Manager } from '../manager/manager.ts';
import { contentHash } from '../objects/content-hash.ts';
import { metadataOf } from '../objects/metadata-of.ts';
import { reasonText } from '../reasons/reason-text.ts';
import { ControllerBuilder } from './controller-builder.ts';
import { labelChanged } from './predicates.ts';

// Runs against the embedded API server, and against a real one when KUBEBUILDER_ASSETS is set.

const server = apiServerFixture(ownerCrds);
let client: Client;
let manager: Manager;
let namespace: string;
let runs: string[];
let errors: string[];

beforeEach(async () => {
  ({ client } = server);
  namespace = await server.createNamespace();
  errors = [];
  manager = await server.createManager(namespace, {
    logger: createLogger({ level: 'error', stream: { write: (line) => errors.push(line) } }),
  });
  runs = [];
});

const key = (name: string, at = namespace): { name: string; namespace: string } => ({ name, namespace: at });
const app = (name: string, parts: string[] = [], text = ''): App => ({
  apiVersion: 'example.com/v1',
  kind: 'App',
  metadata: key(name),
  spec: { parts, text },
});
const secret = (name: string, value = '1', at = namespace): Secret => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: key(name, at),
  stringData: { value },
});
const setSecret = (name: string, value: string, at = namespace) =>
  client.patch(Secret, key(name, at), { stringData: { value } });

async function start(): Promise<void> {
  manager.start().catch(() => {});
  await manager.ready;
  await manager.idle();
  runs.length = 0;
}

/** What has run since the last call. */
async function ran(): Promise<string[]> {
  await manager.idle();
  return runs.splice(0).toSorted();
}

test('an object that appears, changes or disappears reconciles those that refer to it now', async () => {
  new ControllerBuilder(manager)
    .for(App)
    .references(Secret, (object) => object.spec.parts)
    .complete(async ({ name }, { reasons }) => void runs.push(`${name}: ${reasons.map(reasonText).join()}`));
  await client.create(App, app('one', ['a']));
  await client.create(App, app('both', ['a', 'b', 'a']));
  await client.create(App, app('none', ['']));
  await start();
  await client.create(Secret, secret('a'));
  const created = `Secret ${namespace}/a created`;
  expect(await ran()).toEqual([`both: ${created}`, `one: ${created}`]);
  await client.create(Secret, secret('other'));
  expect(await ran()).toEqual([]);
  await client.patch(App, key('one'), { spec: { parts: ['b'] } });
  expect(await ran()).toEqual([`one: App ${namespace}/one updated: spec.parts`]);
  await setSecret('a', '2');
  expect(await ran()).toEqual([`both: Secret ${namespace}/a updated: data["value"]`]);
  await client.delete(App, key('both'));
  await ran();
  await client.delete(Secret, key('a'));
  expect(await ran()).toEqual([]);
  await client.create(App, app('late', ['other']));
  await ran();
  await client.delete(Secret, key('other'));
  expect(await ran()).toEqual([`late: Secret ${namespace}/other deleted`]);
});

test('a controller may refer to several kinds, and to one kind in several ways', async () => {
  new ControllerBuilder(manager)
    .for(App)
    .references(Secret, (object) => object.spec.text)
    .references(Secret, (object) => object.spec.parts, { predicates: [labelChanged()] })
    .references(metadataOf(ConfigMap), (object) => object.spec.text)
    .references(ClusterRole, (object) => object.spec.text)
    .references(App, (object) => object.spec.text)
    .complete(async ({ name }) => void runs.push(name));
  await client.create(Secret, secret('part'));
  await client.create(App, app('user', ['part'], namespace));
  await start();
  await setSecret('part', '2');
  expect(await ran()).toEqual([]);
  await client.patch(Secret, key('part'), { metadata: { labels: { a: 'b' } } });
  expect(await ran()).toEqual(['user']);
  await client.create(Secret, secret(namespace));
  expect(await ran()).toEqual(['user']);
  await client.create(ConfigMap, { apiVersion: 'v1', kind: 'ConfigMap', metadata: key(namespace) });
  expect(await ran()).toEqual(['user']);
  await client.create(ClusterRole, {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: namespace },
    rules: [],
  });
  onTestFinished(() => client.delete(ClusterRole, { name: namespace }));
  expect(await ran()).toEqual(['user']);
  await client.create(App, app(namespace));
  expect(await ran()).toEqual([namespace, 'user'].toSorted());
  expect(errors).toEqual([]);
});

test('keys name objects in other namespaces, and a cluster-scoped object needs them', async () => {
  manager = await server.createManager(namespace, {
    cache: {},
    logger: createLogger({ level: 'error', stream: { write: (line) => errors.push(line) } }),
  });
  const other = await server.createNamespace();
  new ControllerBuilder(manager)
    .for(Fleet)
    .references(Secret, ({ spec: { namespaces = [] } }) =>
      namespaces.includes('nowhere')
        ? 'shared'
        : [{ name: 'shared' }, null, ...namespaces.map((each) => ({ name: 'shared', namespace: each }))],
    )
    .references(Namespace, ({ spec }) => spec.namespaces)
    .complete(async ({ name }) => void runs.push(name));
  new ControllerBuilder(manager)
    .for(App)
    .references(Secret, ({ spec: { text = '' } }) => ({ name: 'shared', namespace: text }))
    .complete(async ({ name }) => void runs.push(name));
  const fleet = (name: string, namespaces: string[]): Promise<Fleet> => {
    onTestFinished(() => client.delete(Fleet, { name }));
    return client.create(Fleet, {
      apiVersion: 'example.com/v1',
      kind: 'Fleet',
      metadata: { name },
      spec: { namespaces },
    });
  };
  await fleet('first', [namespace, other]);
  await fleet('second', [other, 'nowhere']);
  await client.create(App, app('own'));
  await client.create(App, app('foreign', [], other));
  await start();
  await client.create(Secret, secret('shared'));
  expect(await ran()).toEqual(['first', 'own']);
  await client.create(Secret, secret('shared', '1', other));
  expect(await ran()).toEqual(['first', 'foreign']);
  await client.patch(Namespace, { name: other }, { metadata: { labels: { a: 'b' } } });
  expect(await ran()).toEqual(['first', 'second']);
  // A bug of the author: nothing says where the Secret is.
  expect(errors.join('')).toContain('A reference to the Secret shared has no namespace');
});

test('a controller that a running manager gets knows the references of all objects', async () => {
  await client.create(App, app('user', ['a']));
  await client.create(Secret, secret('a'));
  await start();
  new ControllerBuilder(manager)
    .for(App)
    .references(Secret, (object) => object.spec.parts)
    .complete(async ({ name }) => void runs.push(name));
  expect(await ran()).toEqual(['user']);
  await setSecret('a', '2');
  expect(await ran()).toEqual(['user']);
});

test('a composite controller rolls a child when a referenced Secret changes, unless its parent is paused', async () => {
  compositeController(manager, {
    parent: App,
    children: [ConfigMap],
    references: [{ kind: Secret, names: (parent) => parent.spec.parts }],
    pausedBy: { annotation: 'example.com/paused', deletion: 'reconcile' },
    async sync(parent) {
      const names = parent.spec.parts ?? [];
      const secrets = await Promise.all(names.map((name) => manager.client.get(Secret, key(name))));
      const metadata = { name: 'child', annotations: { 'checksum/secrets': contentHash(...secrets) } };
      return { children: [desiredChild(ConfigMap, { metadata })] };
    },
  });
  const checksum = async (): Promise<string | undefined> => {
    await manager.idle();
    return (await client.get(ConfigMap, key('child')))?.metadata.annotations?.['checksum/secrets'];
  };
  await client.create(App, app('user', ['a', 'b']));
  await client.create(Secret, secret('a'));
  await start();
  const first = await checksum();
  expect(first).toBe(contentHash(secret('a'), undefined));
  await client.patch(Secret, key('a'), { metadata: { labels: { a: 'b' } } });
  expect(await checksum()).toBe(first);
  await setSecret('a', '2');
  const second = await checksum();
  expect(second).toBe(contentHash(secret('a', '2'), undefined));
  const annotate = (value: string | null) =>
    client.patch(App, key('user'), { metadata: { annotations: { 'example.com/paused': value } } } as object);
  await annotate('true');
  await client.create(Secret, secret('b'));
  expect(await checksum()).toBe(second);
  await annotate(null);
  expect(await checksum()).toBe(contentHash(secret('a', '2'), secret('b')));
});
