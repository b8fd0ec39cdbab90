// Copyright 2026 The wordpress-operator authors
// SPDX-License-Identifier: Apache-2.0

import { expectConvergence } from 'ots-testing';
import { type PersistentVolumeClaimSpec, Secret } from 'ots-kubernetes/core/v1';
import { Client, createLogger, isConditionTrue, Manager } from 'ots-runtime';
import { expect, test } from 'vitest';
import { Wordpress, type WordpressStatus } from '../api/v1alpha1/wordpress.ts';
import { runLabel } from './objects.ts';
import { setupWordpressController } from './wordpress.controller.ts';

const logger = createLogger({ level: 'silent' });
const listeners = { health: false, metrics: false, webhooks: false } as const;
const operator = { serviceAccount: 'controller-manager', namespace: 'system' };
const key = { namespace: 'default', name: 'blog' };
const sample: Wordpress = {
  apiVersion: 'apps.example.com/v1alpha1',
  kind: 'Wordpress',
  metadata: key,
  spec: { version: '6.5', databaseSecret: 'password' },
};

test('the operator converges, whatever happens to it', async () => {
  const { edits } = await expectConvergence({
    environment: { crds: ['config/crd/bases'], workloads: true },
    prepare: async (environment) => {
      await environment.install('config/rbac', { namespace: operator.namespace });
      await using client = new Client(environment.config);
      const metadata = { namespace: key.namespace, name: 'password' };
      await client.create(Secret, {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata,
        stringData: { password: 'secret' },
      });
    },
    identity: operator,
    // All of its writes take many minutes: CONVERGENCE_WRITES=1000 disturbs each of them.
    maxWrites: Number(process.env['CONVERGENCE_WRITES'] ?? 4),
    start: async (connection) => {
      const manager = await Manager.create(
        { connection, logger, ...listeners },
        { failOnDenied: true },
      );
      setupWordpressController(manager);
      return manager;
    },
    object: sample,
    changes: {
      'gets a version that does not exist': ({ client, environment }) => {
        environment.failures.add({ image: 'wordpress:6.66' }, { imagePull: 'manifest unknown' });
        return client.patch(Wordpress, key, { spec: { version: '6.66' } });
      },
      'gets a version that exists': ({ client }) =>
        client.patch(Wordpress, key, { spec: { version: '6.6' } }),
      'is restored': ({ client }) => {
        const run = { plan: 'restore', id: 'undo', backup: 'before-6.6' } as const;
        return client.patch(Wordpress, key, { spec: { run } });
      },
    },
    time: '30s',
    // Jobs of a plan that is complete do not come back, and volumes in use cannot be deleted.
    spare: ({ kind }) => kind === 'Job' || kind === 'PersistentVolumeClaim',
    comparable: (object) => {
      if (object.metadata.labels?.[runLabel]) return undefined;
      const { spec, status } = object as {
        spec?: PersistentVolumeClaimSpec;
        status?: WordpressStatus;
      };
      // A volume is bound when a Job uses it first: one of a site that is made again with a version that does not exist is not.
      if (spec?.accessModes) {
        delete spec.volumeName;
        delete object.metadata.annotations;
      }
      if (!status) return object;
      // A site that is made again gets its current version with the plan deploy, not with an update.
      const { version, conditions } = status;
      return isConditionTrue(conditions, 'Ready') ? { spec, version, conditions } : spec;
    },
  });
  expect(edits).toContain('Deployment blog-web deleted by hand');
}, 1_800_000);
