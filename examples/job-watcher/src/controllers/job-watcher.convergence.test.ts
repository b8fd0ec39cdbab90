// Copyright 2026 The job-watcher authors
// SPDX-License-Identifier: Apache-2.0

import { Job } from 'ots-kubernetes/batch/v1';
import { expectConvergence } from 'ots-testing';
import { expect, test } from 'vitest';
import { images, jobOf, watcherOf } from '../../test/support/objects.ts';
import { createOperator, operator } from '../../test/support/operator.ts';
import { JobWatcher } from '../api/v1/job-watcher.ts';

const spec = {
  jobNamePatterns: ['pi', 'broken', 'server', 'stuck'],
  completedTTL: 10,
  failedTTL: 86_400,
  pendingTTL: 20,
  frequency: 30,
};
const watcher = watcherOf('watcher', spec);

test('the same Jobs are deleted, whatever happens to the operator', async () => {
  const { writes } = await expectConvergence({
    environment: { crds: ['config/crd/bases'], workloads: { images } },
    // Without the webhooks: nothing could be created while the operator is down.
    prepare: (environment) => environment.install('config/rbac', { namespace: operator.namespace }),
    identity: operator,
    start: createOperator,
    object: watcher,
    changes: {
      'sees Jobs that complete, fail, run, cannot start, and are none of its own': async ({
        client,
        environment,
      }) => {
        environment.failures.add({ image: 'missing:*' }, { imagePull: 'manifest unknown' });
        await client.create(Job, jobOf('pi', 'pi:1'));
        await client.create(Job, jobOf('broken', 'broken:1'));
        await client.create(Job, jobOf('server', 'server:1'));
        await client.create(Job, jobOf('stuck', 'missing:1'));
        await client.create(Job, jobOf('other', 'pi:1'));
      },
      'sees the Job that could not start, with an image that exists': async ({ client }) =>
        client.create(Job, jobOf('stuck', 'pi:1')),
      'keeps failed Jobs for a shorter time': async ({ client }) =>
        client.patch(
          JobWatcher,
          { namespace: 'default', name: 'watcher' },
          { spec: { failedTTL: 5 } },
        ),
    },
  });
  const deletions = writes.filter((write) => write.startsWith('delete')).toSorted();
  expect(deletions).toEqual([
    'delete jobs.batch default/broken',
    'delete jobs.batch default/pi',
    'delete jobs.batch default/stuck',
    'delete jobs.batch default/stuck',
  ]);
}, 600_000);
