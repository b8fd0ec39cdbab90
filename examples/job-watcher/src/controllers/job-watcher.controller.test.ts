// Copyright 2026 The job-watcher authors
// SPDX-License-Identifier: Apache-2.0

import { Job } from 'ots-kubernetes/batch/v1';
import { Namespace, Pod } from 'ots-kubernetes/core/v1';
import { Client, keyOf, waitFor, waitForObject } from 'ots-runtime';
import { TestEnvironment } from 'ots-testing';
import { expect, test } from 'vitest';
import { images, jobOf, watcherOf } from '../../test/support/objects.ts';
import { operator, startOperator } from '../../test/support/operator.ts';
import { JobWatcher } from '../api/v1/job-watcher.ts';

test('a JobWatcher deletes completed Jobs and their pods, with no more rights than it needs', async () => {
  await using environment = await TestEnvironment.start({
    crds: ['config/crd/bases'],
    workloads: { images },
    recordRequests: true,
  });
  await using client = new Client(environment.config);
  await using manager = await startOperator(environment);
  for (const name of ['ci-1', 'ci-2', 'production'])
    await client.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });

  const spec = {
    jobNamePatterns: ['report-[0-9]+'],
    namespacePatterns: ['ci-.*'],
    completedTTL: 1,
  };
  const created = await client.create(JobWatcher, watcherOf('reports', spec));
  const deleted = [jobOf('report-1', 'report:1', 'ci-1'), jobOf('report-2', 'report:1', 'ci-2')];
  const kept = [
    jobOf('report-1', 'report:1', 'production'),
    jobOf('my-report-1', 'report:1', 'ci-1'),
  ];
  for (const job of [...deleted, ...kept]) await client.create(Job, job);
  for (const job of kept)
    await waitForObject(
      client,
      Job,
      keyOf(job),
      (found) => found?.status?.completionTime !== undefined,
    );
  for (const job of deleted)
    await waitForObject(client, Job, keyOf(job), (found) => found === undefined);

  await waitFor(async () => (await client.list(Pod)).items.length === kept.length);
  expect((await client.list(Job)).items).toHaveLength(kept.length);
  const { status } = await client.getOrThrow(JobWatcher, keyOf(created));
  expect(status).toMatchObject({
    observedGeneration: 1,
    conditions: [{ type: 'Ready', status: 'True', reason: 'Checked' }],
  });
  expect(Date.parse(status!.lastFinished!)).toBeGreaterThanOrEqual(
    Date.parse(status!.lastStarted!),
  );
  await manager.idle();
  const unused = await environment.unusedRules(operator);
  expect(unused.filter(({ role }) => role === 'ClusterRole manager-role')).toEqual([]);
});
