// Copyright 2026 The custom-image-deploy authors
// SPDX-License-Identifier: Apache-2.0

import { Pod } from 'ots-kubernetes/core/v1';
import { Ingress } from 'ots-kubernetes/networking/v1';
import { Client, isConditionTrue, waitForObject } from 'ots-runtime';
import { TestEnvironment } from 'ots-testing';
import { expect, test } from 'vitest';
import { children, key, operator, startOperator, webWith } from '../../test/support/operator.ts';
import { CustomImageDeploy } from '../api/v1/custom-image-deploy.ts';

test('one object deploys an image and is deleted with all of it, with no more rights than that needs', async () => {
  await using environment = await TestEnvironment.start({
    crds: ['config/crd/bases'],
    workloads: true,
    recordRequests: true,
    // OpenShift has it: an owner whose deletion a child blocks needs a right.
    enableAdmissionPlugins: ['OwnerReferencesPermissionEnforcement'],
  });
  await using client = new Client(environment.config);
  await using manager = await startOperator(environment);

  const { metadata } = await client.create(CustomImageDeploy, webWith());
  const ready = await waitForObject(client, CustomImageDeploy, key, (web) =>
    isConditionTrue(web?.status?.conditions, 'Ready'),
  );
  expect(ready!.status).toMatchObject({
    readyReplicas: 2,
    host: 'web.default',
    observedGeneration: 1,
  });

  // What belongs together can be found together.
  const labels = { app: 'web', managed_by: 'custom-image-deploy' };
  const labelSelector = 'managed_by=custom-image-deploy';
  for (const kind of children) {
    const { items } = await client.list(kind, { labelSelector });
    expect(items.map((child) => child.metadata)).toMatchObject([
      { ...key, labels, ownerReferences: [{ uid: metadata.uid, controller: true }] },
    ]);
  }
  const pods = await client.list(Pod, { labelSelector });
  expect(pods.items.map(({ spec }) => spec?.containers)).toMatchObject(
    Array.from({ length: 2 }, () => [{ image: 'nginx:1.17', ports: [{ containerPort: 8080 }] }]),
  );
  const ingress = await client.getOrThrow(Ingress, key);
  expect(ingress.spec?.rules).toMatchObject([
    {
      host: 'web.default',
      http: { paths: [{ path: '/', backend: { service: { name: 'web' } } }] },
    },
  ]);

  await client.delete(CustomImageDeploy, key);
  await waitForObject(client, CustomImageDeploy, key, (web) => web === undefined);
  // A real garbage collector looks for new kinds, such as that of the owner, every 30 seconds.
  const patient = { timeout: '90s' } as const;
  for (const kind of children)
    await waitForObject(client, kind, key, (child) => child === undefined, patient);
  await manager.idle();
  const unused = await environment.unusedRules(operator);
  // Only admission asks about this one. Without it, the Deployment above would be refused.
  const asked = `@rbac groups=customimagedeploy.example.com resources=customimagedeploys/finalizers verbs=update`;
  const role = 'ClusterRole manager-role';
  expect(unused.filter((each) => each.role === role)).toEqual([{ role, rule: asked }]);
}, 150_000);

test('the API server accepts the sample, and nothing that cannot work', async () => {
  await using environment = await TestEnvironment.start({ crds: ['config/crd/bases'] });
  await using client = new Client(environment.config);
  const [sample] = await environment.install(
    'config/samples/customimagedeploy_v1_customimagedeploy.yaml',
  );
  expect(sample).toMatchObject({ spec: { image: 'nginx:1.17', size: 1, port: 80 } });

  const { size: _, ...one } = webWith().spec;
  const created = await client.create(CustomImageDeploy, { ...webWith(), spec: one });
  expect(created.spec.size).toBe(1);
  for (const name of ['1st', 'a.b', 'a'.repeat(64)]) {
    const refused = client.create(CustomImageDeploy, { ...webWith(), metadata: { ...key, name } });
    await expect(refused, name).rejects.toThrow('must be a DNS label that starts with a letter');
  }
  for (const spec of [{ image: '' }, { size: -1 }, { port: 0 }, { port: 65_536 }]) {
    const refused = client.patch(CustomImageDeploy, key, { spec });
    await expect(refused).rejects.toThrow(`spec.${Object.keys(spec)[0]}`);
  }
});
