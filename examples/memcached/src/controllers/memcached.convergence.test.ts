// Copyright 2026 The memcached-operator authors
// SPDX-License-Identifier: Apache-2.0

import { createLogger, type KubernetesObject, Manager } from 'ots-runtime';
import { expectConvergence, readManifest } from 'ots-testing';
import { expect, test } from 'vitest';
import { Memcached } from '../api/v1alpha1/memcached.ts';
import { setupMemcachedController } from './memcached.controller.ts';

const logger = createLogger({ level: 'silent' });
const missingImage = 'memcached:1.66';
const operator = { serviceAccount: 'controller-manager', namespace: 'system' };

test('the operator converges, whatever happens to it', async () => {
  const sample = await readManifest(Memcached, 'config/samples/cache_v1alpha1_memcached.yaml');
  sample.spec.size = 1;
  const key = { namespace: 'default', name: sample.metadata.name! };
  const { writes, edits } = await expectConvergence({
    environment: { crds: ['config/crd/bases'], workloads: true },
    prepare: (environment) => environment.install('config/rbac', { namespace: operator.namespace }),
    identity: operator,
    start: async (connection) => {
      const manager = await Manager.create(
        { connection, logger, userAgent: 'memcached-operator' },
        { failOnDenied: true },
      );
      setupMemcachedController(manager);
      return manager;
    },
    object: sample,
    changes: {
      'is scaled': ({ client }) => client.patch(Memcached, key, { spec: { size: 2 } }),
      'gets an image that does not exist': ({ client, environment }) => {
        environment.failures.add({ image: missingImage }, { imagePull: 'not found' });
        return client.patch(Memcached, key, { spec: { image: missingImage } });
      },
      'gets its image back': ({ client }) =>
        client.patch(Memcached, key, { spec: { image: null } }),
    },
    comparable: withoutOldPods,
  });
  expect(writes).toContain('patch deployments.apps default/memcached-sample');
  expect(edits).toContain('Deployment memcached-sample deleted by hand');
}, 600_000);

/** While an image is missing, the pods that had the image before stay, unless the Memcached was deleted and made again. */
function withoutOldPods(object: KubernetesObject): unknown {
  const { spec, status, ...rest } = object as Memcached;
  if (object.kind !== 'Memcached' || spec.image !== missingImage) return object;
  return { ...rest, spec, status: { ...status, nodes: undefined } };
}
