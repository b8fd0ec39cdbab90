// Copyright 2026 The custom-image-deploy authors
// SPDX-License-Identifier: Apache-2.0

import { Deployment } from 'ots-kubernetes/apps/v1';
import { Pod, Service } from 'ots-kubernetes/core/v1';
import { Ingress } from 'ots-kubernetes/networking/v1';
import { Client, type Condition, type Manager } from 'ots-runtime';
import { TestEnvironment } from 'ots-testing';
import { expect, test } from 'vitest';
import { children, key, startOperator, webWith } from '../../test/support/operator.ts';
import { CustomImageDeploy, type CustomImageDeploySpec } from '../api/v1/custom-image-deploy.ts';

/** A cluster with the operator, whose time stands still until the test moves it. */
class Cluster implements AsyncDisposable {
  readonly environment: TestEnvironment;
  readonly client: Client;
  readonly #manager: Manager;

  private constructor(environment: TestEnvironment, manager: Manager) {
    this.environment = environment;
    this.client = new Client(environment.config);
    this.#manager = manager;
  }

  static async start(): Promise<Cluster> {
    const crds = ['config/crd/bases'];
    const environment = await TestEnvironment.start({ crds, clock: 'virtual', workloads: true });
    return new Cluster(environment, await startOperator(environment));
  }

  async create(spec: Partial<CustomImageDeploySpec> = {}): Promise<void> {
    await this.client.create(CustomImageDeploy, webWith(spec));
    await this.environment.advance('10s');
  }

  async change(spec: Partial<CustomImageDeploySpec>): Promise<void> {
    await this.client.patch(CustomImageDeploy, key, { spec });
    await this.environment.advance('10s');
  }

  async ready(): Promise<Partial<Condition> | undefined> {
    const { status } = await this.client.getOrThrow(CustomImageDeploy, key);
    return status?.conditions?.find(({ type }) => type === 'Ready');
  }

  /** What the pods run. */
  async images(): Promise<string[]> {
    const { items } = await this.client.list(Pod);
    return items.map(({ spec }) => spec!.containers[0]!.image!).toSorted();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#manager.stop();
    await this.client.close();
    await this.environment.stop();
  }
}

test('the size, the image and the port follow the spec', async () => {
  await using cluster = await Cluster.start();
  await cluster.create({ size: 1 });
  expect(await cluster.images()).toEqual(['nginx:1.17']);
  await cluster.change({ size: 3 });
  expect(await cluster.images()).toEqual(['nginx:1.17', 'nginx:1.17', 'nginx:1.17']);
  expect(await cluster.ready()).toMatchObject({
    status: 'True',
    message: '3 of 3 pods run the image',
  });
  await cluster.change({ image: 'nginx:1.29', size: 2, port: 9090 });
  expect(await cluster.images()).toEqual(['nginx:1.29', 'nginx:1.29']);
  const { spec } = await cluster.client.getOrThrow(Deployment, key);
  expect(spec!.template.spec!.containers[0]!.ports).toEqual([
    { name: 'http', containerPort: 9090, protocol: 'TCP' },
  ]);
  await cluster.change({ size: 0 });
  expect(await cluster.images()).toEqual([]);
  expect(await cluster.ready()).toMatchObject({
    status: 'True',
    message: '0 of 0 pods run the image',
  });
});

test('what others change or delete is restored; what they add stays', async () => {
  await using cluster = await Cluster.start();
  await cluster.create();
  const { client, environment } = cluster;
  await client.scale.patch(Deployment, key, { spec: { replicas: 7 } });
  await client.patch(Service, key, {
    metadata: { annotations: { team: 'a' } },
    spec: { selector: { app: 'other' } },
  });
  await client.delete(Ingress, key);
  await environment.advance('10s');
  expect((await client.getOrThrow(Deployment, key)).spec?.replicas).toBe(2);
  expect(await client.getOrThrow(Service, key)).toMatchObject({
    metadata: { annotations: { team: 'a' } },
    spec: { selector: { app: 'web', managed_by: 'custom-image-deploy' } },
  });
  expect(await client.get(Ingress, key)).toBeDefined();
});

test('an image that does not exist is reported, and a correction heals it', async () => {
  await using cluster = await Cluster.start();
  cluster.environment.failures.add({ image: 'nginx:typo' }, { imagePull: 'manifest unknown' });
  await cluster.create();
  await cluster.change({ image: 'nginx:typo' });
  expect(await cluster.ready()).toMatchObject({
    status: 'False',
    reason: 'RollingOut',
    message: '0 of 2 pods run the image',
  });
  await cluster.environment.advance('15m');
  expect(await cluster.ready()).toMatchObject({
    status: 'False',
    reason: 'Stuck',
    message: expect.stringContaining('has timed out progressing'),
  });
  expect(await cluster.images()).toContain('nginx:1.17'); // still serves
  await cluster.change({ image: 'nginx:1.18' });
  expect(await cluster.ready()).toMatchObject({ status: 'True', reason: 'Available' });
});

test('the address of the load balancer appears, without polling for it', async () => {
  await using cluster = await Cluster.start();
  await cluster.create();
  const { client, environment } = cluster;
  const loadBalancer = { ingress: [{ hostname: 'lb.example.com' }] };
  await client.status.patch(Ingress, key, { status: { loadBalancer } });
  await environment.settle();
  expect((await client.getOrThrow(CustomImageDeploy, key)).status?.address).toBe('lb.example.com');
});

test('the pods run until the Ingress and its load balancer are gone', async () => {
  await using cluster = await Cluster.start();
  const { client, environment } = cluster;
  await cluster.create();
  // What an ingress controller does that releases a load balancer first.
  const finalizers = ['ingress.example.com/load-balancer'];
  await client.patch(Ingress, key, { metadata: { finalizers } });
  await client.delete(CustomImageDeploy, key);
  await environment.advance('10m');
  expect((await client.getOrThrow(Ingress, key)).metadata.deletionTimestamp).toBeDefined();
  expect(await cluster.images()).toHaveLength(2);
  expect(await client.get(Service, key)).toBeDefined();

  await client.patch(Ingress, key, { metadata: { finalizers: [] } });
  await environment.advance('1m');
  expect(await client.get(CustomImageDeploy, key)).toBeUndefined();
  for (const kind of children) expect(await client.get(kind, key), kind.kind).toBeUndefined();
  expect(await cluster.images()).toEqual([]);
});

test('children that are orphaned stay', async () => {
  await using cluster = await Cluster.start();
  const { client, environment } = cluster;
  await cluster.create();
  await client.delete(CustomImageDeploy, key, { propagationPolicy: 'Orphan' });
  await environment.advance('1m');
  expect(await client.get(CustomImageDeploy, key)).toBeUndefined();
  for (const kind of children)
    expect(
      (await client.getOrThrow(kind, key)).metadata.ownerReferences,
      kind.kind,
    ).toBeUndefined();
});

test('a Deployment that the operator did not make is neither taken over nor deleted', async () => {
  await using cluster = await Cluster.start();
  const { client, environment } = cluster;
  const labels = { app: 'legacy' };
  await client.create(Deployment, {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: key,
    spec: {
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { containers: [{ name: 'app', image: 'legacy:1' }] },
      },
    },
  });
  await cluster.create();
  expect(await cluster.ready()).toMatchObject({
    reason: 'NameTaken',
    message: 'another Deployment has the name "web"',
  });
  await client.delete(CustomImageDeploy, key);
  await environment.advance('1m');
  expect(await cluster.images()).toEqual(['legacy:1']);

  await cluster.create();
  await client.delete(Deployment, key);
  await environment.advance('1m');
  expect(await cluster.images()).toEqual(['nginx:1.17', 'nginx:1.17']);
  expect(await cluster.ready()).toMatchObject({ status: 'True' });
});
