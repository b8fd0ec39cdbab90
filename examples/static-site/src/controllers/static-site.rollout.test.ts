// Copyright 2026 The static-site authors
// SPDX-License-Identifier: Apache-2.0

import { TestEnvironment } from 'ots-testing';
import { ConfigMap, Pod } from 'ots-kubernetes/core/v1';
import { Client, createLogger, findCondition, Manager } from 'ots-runtime';
import { expect, test } from 'vitest';
import { StaticSite } from '../api/v1alpha1/static-site.ts';
import { setupStaticSiteController } from './static-site.controller.ts';

const logger = createLogger({ level: 'silent' });
const listeners = { health: false, metrics: false, webhooks: false } as const;
const key = { namespace: 'default', name: 'hello' };
const labelSelector = 'app.kubernetes.io/instance=hello';

test('an image that does not exist leaves the site as it was, until it is corrected', async () => {
  await using environment = await TestEnvironment.start({
    clock: 'virtual',
    crds: ['config/crd/bases'],
    workloads: { nodes: 2 },
  });
  await using client = new Client(environment.config);
  await using manager = await Manager.create({
    connection: environment.config,
    logger,
    ...listeners,
  });
  setupStaticSiteController(manager);
  manager.start().catch(() => {}); // `ready` also rejects
  await manager.ready;
  const readyPods = async (): Promise<unknown[]> => {
    const { items } = await client.list(Pod, { labelSelector });
    const ready = items.filter(
      ({ status }) => findCondition(status?.conditions, 'Ready')?.status === 'True',
    );
    return ready.map(({ spec }) => spec?.containers[0]?.image);
  };
  const ready = async () =>
    findCondition((await client.get(StaticSite, key))?.status?.conditions, 'Ready');
  const pages = async () => (await client.list(ConfigMap, { labelSelector })).items.length;

  await client.create(StaticSite, {
    apiVersion: 'web.example.com/v1alpha1',
    kind: 'StaticSite',
    metadata: key,
    spec: { pages: { 'index.html': 'Hello' }, image: 'nginx:1', replicas: 2 },
  });
  await environment.advance('1m');
  expect(await ready()).toMatchObject({ status: 'True' });

  environment.failures.add({ image: 'nginx:oops' }, { imagePull: 'not found' });
  await client.patch(StaticSite, key, {
    spec: { pages: { 'index.html': 'Bye' }, image: 'nginx:oops' },
  });
  await environment.advance('15m');
  expect(await ready()).toMatchObject({ status: 'False', reason: 'ProgressDeadlineExceeded' });
  // A web server that must start again finds its pages.
  const { items } = await client.list(Pod, { labelSelector });
  const [old] = items.filter(({ spec }) => spec?.containers[0]?.image === 'nginx:1');
  environment.nodes.setReady(old!.spec!.nodeName!, false);
  await environment.advance('10m');
  expect(await readyPods()).toContain('nginx:1');
  expect(await pages()).toBe(2);

  await client.patch(StaticSite, key, { spec: { image: 'nginx:2' } });
  await environment.advance('15m');
  expect(await ready()).toMatchObject({ status: 'True', reason: 'Served' });
  expect(await readyPods()).toEqual(['nginx:2', 'nginx:2']);
  expect(await pages()).toBe(1);
});
