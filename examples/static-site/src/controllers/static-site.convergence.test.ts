// Copyright 2026 The static-site authors
// SPDX-License-Identifier: Apache-2.0

import { expectConvergence } from 'ots-testing';
import { createLogger, isConditionTrue, Manager } from 'ots-runtime';
import { expect, test } from 'vitest';
import { StaticSite, type StaticSiteStatus } from '../api/v1alpha1/static-site.ts';
import { setupStaticSiteController } from './static-site.controller.ts';

const logger = createLogger({ level: 'silent' });
const listeners = { health: false, metrics: false, webhooks: false } as const;
const operator = { serviceAccount: 'controller-manager', namespace: 'system' };
const key = { namespace: 'default', name: 'hello' };
const sample: StaticSite = {
  apiVersion: 'web.example.com/v1alpha1',
  kind: 'StaticSite',
  metadata: key,
  spec: { pages: { 'index.html': 'Hello' }, image: 'nginx:1', hosts: ['hello.example.com'] },
};

test('the operator converges, whatever happens to it', async () => {
  const { edits } = await expectConvergence({
    environment: { crds: ['config/crd/bases'], workloads: true },
    prepare: (environment) => environment.install('config/rbac', { namespace: operator.namespace }),
    identity: operator,
    start: async (connection) => {
      const manager = await Manager.create(
        { connection, logger, ...listeners },
        { failOnDenied: true },
      );
      setupStaticSiteController(manager);
      return manager;
    },
    object: sample,
    changes: {
      'gets an image that does not exist': ({ client, environment }) => {
        environment.failures.add({ image: 'nginx:oops' }, { imagePull: 'not found' });
        return client.patch(StaticSite, key, { spec: { image: 'nginx:oops' } });
      },
      'gets a correct image and other pages': ({ client }) =>
        client.patch(StaticSite, key, {
          spec: { image: 'nginx:2', pages: { 'index.html': 'Bye' } },
        }),
      'loses a host and gets another one': ({ client }) =>
        client.patch(StaticSite, key, { spec: { hosts: ['bye.example.com'] } }),
    },
    comparable: (object) => {
      const { spec, status } = object as { spec?: object; status?: StaticSiteStatus };
      // A site that is made again with an image that does not exist has no old web servers.
      if (status && !isConditionTrue(status.conditions, 'Ready')) return spec;
      return object;
    },
  });
  expect(edits).toContain('Ingress hello deleted by hand');
}, 1_200_000);
