// Copyright 2026 The myapp-operator authors
// SPDX-License-Identifier: Apache-2.0

import { Deployment } from 'ots-kubernetes/apps/v1';
import { readManifest, TestEnvironment } from 'ots-testing';
import {
  Client,
  createLogger,
  type Duration,
  findCondition,
  isConditionTrue,
  Manager,
  waitForObject,
  type DeepReadonly,
} from 'ots-runtime';
import { expect, test } from 'vitest';
import { MyApp } from '../api/v1alpha1/my-app.ts';
import { setupMyAppController } from './my-app.controller.ts';

const logger = createLogger({ level: 'error' });
const listeners = { health: false, metrics: false, webhooks: false } as const;
// Who the operator is in a cluster, as config/rbac says it.
const operator = { serviceAccount: 'controller-manager', namespace: 'system' };
const key = { namespace: 'default', name: 'myapp-sample' };
const patiently = { timeout: '60s' } as const;

/** Whether the newest spec is reached. */
const isReady = (app: DeepReadonly<MyApp> | undefined) =>
  isConditionTrue(app?.status?.conditions, 'Ready') &&
  app?.status?.observedGeneration === app?.metadata.generation;

test('a MyApp runs, is scaled and updated, and needs exactly the rights of config/rbac', async () => {
  await using environment = await TestEnvironment.start({
    crds: ['config/crd/bases'],
    workloads: true,
    recordRequests: true,
  });
  await using client = new Client(environment.config, { fieldOwner: 'user' });
  await using manager = await startOperator(environment);

  const sample = await readManifest(MyApp, 'config/samples/apps_v1alpha1_myapp.yaml');
  await client.create(MyApp, { ...sample, metadata: { ...sample.metadata, ...key } });
  const created = await waitForObject(client, MyApp, key, isReady, patiently);
  expect(created?.status).toMatchObject({ replicas: 3, readyReplicas: 3 });

  // What `kubectl scale myapp myapp-sample --replicas=5` and a HorizontalPodAutoscaler do.
  const scale = await client.scale.get(MyApp, key);
  expect(scale).toMatchObject({
    spec: { replicas: 3 },
    status: {
      replicas: 3,
      selector: 'app.kubernetes.io/name=my-app,app.kubernetes.io/instance=myapp-sample',
    },
  });
  await client.scale.update(MyApp, { ...scale, spec: { replicas: 5 } });
  const scaled = await waitForObject(client, MyApp, key, isReady, patiently);
  expect(scaled).toMatchObject({ spec: { replicas: 5 }, status: { readyReplicas: 5 } });

  await client.patch(MyApp, key, { spec: { image: 'nginx:1.29-alpine', replicas: 1 } });
  const updated = await waitForObject(client, MyApp, key, isReady, patiently);
  expect(updated?.status).toMatchObject({ replicas: 1, readyReplicas: 1 });
  const { spec } = await client.getOrThrow(Deployment, key);
  expect(spec?.template.spec?.containers[0]?.image).toBe('nginx:1.29-alpine');
  await expect(client.scale.patch(MyApp, key, { spec: { replicas: -1 } })).rejects.toThrow(
    'should be greater than or equal to 0',
  );

  await manager.idle();
  const unused = await environment.unusedRules(operator);
  expect(
    unused.filter(({ role }) => role === 'ClusterRole manager-role').map(({ rule }) => rule),
  ).toEqual([
    // Only for OwnerReferencesPermissionEnforcement.
    '@rbac groups=apps.example.com resources=myapps/finalizers verbs=update',
  ]);
});

test('an image that does not exist stops no pods, is reported, and a correct one heals it', async () => {
  await using environment = await TestEnvironment.start({
    crds: ['config/crd/bases'],
    workloads: true,
    clock: 'virtual',
  });
  environment.failures.add({ image: 'nginx:typo' }, { imagePull: 'manifest unknown' });
  await using client = new Client(environment.config);
  await using _ = await startOperator(environment);
  const readyAfter = async (time: Duration) => {
    await environment.advance(time);
    const { status } = await client.getOrThrow(MyApp, key);
    return { ...findCondition(status?.conditions, 'Ready'), pods: status?.readyReplicas };
  };
  await client.create(MyApp, {
    apiVersion: 'apps.example.com/v1alpha1',
    kind: 'MyApp',
    metadata: key,
    spec: { replicas: 2, image: 'nginx:1' },
  });
  expect(await readyAfter('10s')).toMatchObject({ status: 'True', pods: 2 });

  await client.patch(MyApp, key, { spec: { image: 'nginx:typo' } });
  expect(await readyAfter('10s')).toMatchObject({
    status: 'False',
    reason: 'RollingOut',
    message: '0 of 2 pods run the image',
    pods: 2,
  });
  expect(await readyAfter('15m')).toMatchObject({
    status: 'False',
    reason: 'Stuck',
    message: expect.stringContaining('has timed out progressing'),
    pods: 2,
  });

  await client.patch(MyApp, key, { spec: { image: 'nginx:2' } });
  expect(await readyAfter('10s')).toMatchObject({ status: 'True', pods: 2 });
});

/** Starts the operator under its own rights: one that it lacks fails the test. */
async function startOperator(environment: TestEnvironment): Promise<Manager> {
  await environment.install('config/rbac', { namespace: operator.namespace });
  const connection = await environment.as(operator);
  const manager = await Manager.create(
    { connection, logger, userAgent: 'myapp-operator', ...listeners },
    { failOnDenied: true },
  );
  setupMyAppController(manager);
  manager.start().catch(() => {}); // `ready` and `idle` reject, too.
  await manager.ready;
  return manager;
}
