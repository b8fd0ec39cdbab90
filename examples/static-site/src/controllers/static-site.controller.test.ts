// Copyright 2026 The static-site authors
// SPDX-License-Identifier: Apache-2.0

import { TestEnvironment } from 'ots-testing';
import { Deployment } from 'ots-kubernetes/apps/v1';
import { ConfigMap, Service } from 'ots-kubernetes/core/v1';
import { Event } from 'ots-kubernetes/events/v1';
import { Ingress } from 'ots-kubernetes/networking/v1';
import { Client, conditionTrue, createLogger, Manager, waitFor, waitForObject } from 'ots-runtime';
import { expect, test } from 'vitest';
import { StaticSite } from '../api/v1alpha1/static-site.ts';
import { setupStaticSiteController } from './static-site.controller.ts';

const logger = createLogger({ level: 'silent' });
const listeners = { health: false, metrics: false, webhooks: false } as const;
// Who the operator is in a cluster, as config/rbac says it.
const operator = { serviceAccount: 'controller-manager', namespace: 'system' };
// A real scheduler and kubelets need a few seconds.
const slow = { timeout: '1m' } as const;
const key = { namespace: 'default', name: 'staticsite-v1alpha1-sample' };

test('a StaticSite serves its pages, and those that replace them, and leaves the objects of others alone', async () => {
  await using environment = await TestEnvironment.start({
    crds: ['config/crd/bases'],
    workloads: true,
    recordRequests: true,
  });
  await environment.install('config/rbac', { namespace: operator.namespace });
  await using client = new Client(environment.config);
  // It may do what config/rbac grants and nothing else: a missing rule fails the test.
  await using manager = await Manager.create(
    { connection: await environment.as(operator), logger, ...listeners },
    { failOnDenied: true },
  );
  setupStaticSiteController(manager);
  const running = manager.start();
  running.catch(() => {}); // `ready` and `idle` reject, too.
  await manager.ready;
  const isReady = conditionTrue('Ready');
  const mountedPages = async (): Promise<ConfigMap['data']> => {
    const deployment = await client.get(Deployment, key);
    const volume = deployment?.spec?.template.spec?.volumes?.find(({ name }) => name === 'pages');
    const name = volume!.configMap!.name!;
    return (await client.get(ConfigMap, { namespace: key.namespace, name }))?.data;
  };

  // A Service of another owner has the name. It stays as it is, and an event says so.
  await client.create(Service, {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: key,
    spec: { ports: [{ port: 8000 }] },
  });
  await environment.install('config/samples');
  await waitFor(async () => {
    const { items } = await client.list(Event);
    return items.some(({ reason, series }) => reason === 'AlreadyOwned' && series !== undefined);
  });
  expect((await client.get(Service, key))?.spec?.ports).toMatchObject([{ port: 8000 }]);
  await client.delete(Service, key);

  await waitForObject(client, StaticSite, key, isReady, slow);
  expect(await mountedPages()).toMatchObject({
    'index.html': expect.stringContaining('<h1>Hello</h1>'),
  });
  await waitFor(async () => (await client.get(Service, key))?.spec?.ports?.[0]?.port === 80);
  expect((await client.get(Ingress, key))?.spec?.rules).toMatchObject([
    { host: 'hello.example.com' },
  ]);
  expect((await client.get(StaticSite, key))?.status).toMatchObject({ readyReplicas: 2 });

  const spec = { pages: { 'about.html': null, 'index.html': 'Goodbye' }, hosts: null };
  await client.patch(StaticSite, key, { spec });
  await waitForObject(client, StaticSite, key, isReady, slow);
  expect(await mountedPages()).toEqual({ 'index.html': 'Goodbye' });
  await waitFor(async () => {
    const { items } = await client.list(ConfigMap, {
      labelSelector: 'app.kubernetes.io/name=static-site',
    });
    return items.length === 1;
  });
  await waitForObject(client, Ingress, key, (ingress) => ingress === undefined);

  const unused = await environment.unusedRules(operator);
  expect(unused.filter(({ role }) => role === 'ClusterRole manager-role')).toEqual([]);
  await manager.stop();
  await running;
}, 120_000);
