// Copyright 2026 The job-watcher authors
// SPDX-License-Identifier: Apache-2.0

import { ValidatingWebhookConfiguration } from 'ots-kubernetes/admissionregistration/v1';
import { Job } from 'ots-kubernetes/batch/v1';
import { Namespace, Pod } from 'ots-kubernetes/core/v1';
import { describe, expect, test, vi } from 'vitest';
import { jobOf } from '../../test/support/objects.ts';
import { VirtualCluster } from '../../test/support/virtual-cluster.ts';
import { JobWatcher } from '../api/v1/job-watcher.ts';
import { JobWatcherReconciler } from './job-watcher.controller.ts';

const reconcile = vi.spyOn(JobWatcherReconciler.prototype, 'reconcile');
const watcher = { namespace: 'default', name: 'watcher' };

test('only Jobs whose whole name and namespace match a pattern are deleted', async () => {
  await using cluster = await VirtualCluster.start();
  for (const name of ['ci', 'ci-1', 'not-ci']) {
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } } as const;
    await cluster.client.create(Namespace, namespace);
  }
  const jobNamePatterns = ['pi', 'report-[0-9]+'];
  await cluster.watch({ jobNamePatterns, namespacePatterns: ['ci', 'ci-.'], completedTTL: 0 });
  const pi = ['ci', 'ci-1', 'not-ci', 'default'].map((namespace) => jobOf('pi', 'pi:1', namespace));
  const others = ['report-1', 'report-x', 'a-report-1', 'pi-2'].map((name) =>
    jobOf(name, 'pi:1', 'ci'),
  );
  await cluster.run(...pi, ...others);
  await cluster.advanceTo('00:01:00');
  const { items } = await cluster.client.list(Job);
  expect(items.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`).toSorted()).toEqual([
    'ci/a-report-1',
    'ci/pi-2',
    'ci/report-x',
    'default/pi',
    'not-ci/pi',
  ]);
});

describe('TTLs', () => {
  test('a completed Job is deleted with its pods when its TTL ends, to the second', async () => {
    await using cluster = await VirtualCluster.start();
    await cluster.watch({ completedTTL: 60 });
    await cluster.run(jobOf('pi', 'pi:1'));
    await cluster.environment.advance('30s');
    expect(await cluster.job('pi')).toMatchObject({ completionTime: '2026-01-01T00:00:10Z' });

    await cluster.advanceTo('00:01:09');
    expect(await cluster.jobs()).toEqual(['pi']);
    await cluster.advanceTo('00:01:10');
    expect(await cluster.jobs()).toEqual([]);
    expect((await cluster.client.list(Pod)).items).toEqual([]);
  });

  test('a failed Job is kept longer than a completed one', async () => {
    await using cluster = await VirtualCluster.start();
    await cluster.watch({ completedTTL: 0, failedTTL: 600 });
    await cluster.run(jobOf('broken', 'broken:1'), jobOf('pi', 'pi:1'));
    await cluster.advanceTo('00:01:00');
    expect(await cluster.jobs()).toEqual(['broken']);
    await cluster.advanceTo('00:11:00');
    expect(await cluster.jobs()).toEqual([]);
  });

  test('a Job that cannot start is deleted; one that runs, waits for a retry or is suspended is not', async () => {
    await using cluster = await VirtualCluster.start();
    cluster.environment.failures.add({ image: 'missing:*' }, { imagePull: 'manifest unknown' });
    await cluster.watch({ pendingTTL: 120, completedTTL: 0, failedTTL: 0 });
    const retried = jobOf('retried', 'broken:1');
    retried.spec!.backoffLimit = 5;
    const suspended = jobOf('suspended', 'missing:1');
    suspended.spec!.suspend = true;
    await cluster.run(jobOf('stuck', 'missing:1'), jobOf('server', 'server:1'), retried, suspended);
    await cluster.advanceTo('00:01:59');
    expect(await cluster.jobs()).toEqual(['retried', 'server', 'stuck', 'suspended']);
    const labelSelector = 'batch.kubernetes.io/job-name=retried';
    await cluster.client.deleteCollection(Pod, { namespace: 'default', labelSelector });
    await cluster.advanceTo('00:02:00');
    expect(await cluster.jobs()).toEqual(['retried', 'server', 'suspended']);

    const key = { namespace: 'default', name: 'suspended' };
    await cluster.client.patch(Job, key, { spec: { suspend: false } });
    await cluster.advanceTo('00:03:59');
    expect(await cluster.jobs()).toContain('suspended');
    await cluster.advanceTo('00:04:00');
    expect(await cluster.jobs()).not.toContain('suspended');
  });

  test('a Job whose image is corrected in time is kept, and needs no check when its TTL would have ended', async () => {
    await using cluster = await VirtualCluster.start();
    const failure = cluster.environment.failures.add({ image: 'server:*' }, { imagePull: 'down' });
    await cluster.watch({ pendingTTL: 300 });
    await cluster.run(jobOf('server', 'server:1'));
    await cluster.advanceTo('00:01:00');
    failure.remove();
    await cluster.advanceTo('00:04:00');
    expect(await cluster.job('server')).toMatchObject({ ready: 1 });
    reconcile.mockClear();
    await cluster.advanceTo('00:10:00');
    expect(await cluster.jobs()).toEqual(['server']);
    expect(reconcile).not.toHaveBeenCalled();
  });

  test('a shorter TTL applies at once, also to Jobs that finished before', async () => {
    await using cluster = await VirtualCluster.start();
    await cluster.watch();
    await cluster.run(jobOf('pi', 'pi:1'));
    await cluster.advanceTo('00:10:00');
    await cluster.client.patch(JobWatcher, watcher, { spec: { completedTTL: 30 } });
    await cluster.environment.settle();
    expect(await cluster.jobs()).toEqual([]);
  });

  test('of two JobWatchers of a Job, the one with the shorter TTL deletes it', async () => {
    await using cluster = await VirtualCluster.start();
    await cluster.watch({ completedTTL: 100 }, 'slow');
    await cluster.watch({ completedTTL: 20 }, 'fast');
    await cluster.run(jobOf('pi', 'pi:1'));
    await cluster.advanceTo('00:00:30');
    expect(await cluster.jobs()).toEqual([]);
    await cluster.advanceTo('00:05:00');
    expect((await cluster.writes()).filter((write) => write.startsWith('delete'))).toHaveLength(1);
  });
});

describe('checks', () => {
  test('happen every `frequency` seconds, and write nothing in between', async () => {
    await using cluster = await VirtualCluster.start();
    await cluster.watch({ frequency: 60 });
    expect(await cluster.status()).toMatchObject({
      lastStarted: '2026-01-01T00:00:00Z',
      lastFinished: '2026-01-01T00:00:00Z',
    });
    await cluster.writes();
    await cluster.advanceTo('00:00:59');
    expect(await cluster.writes()).toEqual([]);
    await cluster.advanceTo('00:10:00');
    expect(await cluster.writes()).toHaveLength(10);
    expect(await cluster.status()).toMatchObject({ lastStarted: '2026-01-01T00:10:00Z' });

    await cluster.advanceTo('00:10:30');
    await cluster.client.patch(JobWatcher, watcher, { spec: { failedTTL: 10 } });
    await cluster.environment.settle();
    expect(await cluster.status()).toMatchObject({
      lastStarted: '2026-01-01T00:10:30Z',
      observedGeneration: 2,
    });
  });

  test('do not happen because Jobs and pods come and go', async () => {
    await using cluster = await VirtualCluster.start();
    const server = { namespace: 'default', name: 'server' };
    await cluster.watch({ completedTTL: 7200 });
    await cluster.writes();
    await cluster.run(
      jobOf('pi', 'pi:1'),
      jobOf('broken', 'broken:1'),
      jobOf('server', 'server:1'),
    );
    await cluster.client.delete(Job, server, { propagationPolicy: 'Background' });
    await cluster.advanceTo('00:05:00');
    expect(await cluster.writes()).toEqual([]);

    reconcile.mockClear();
    const change = { metadata: { annotations: { seen: 'yes' } } };
    await cluster.client.patch(Job, { namespace: 'default', name: 'pi' }, change);
    await cluster.environment.settle();
    expect(reconcile).not.toHaveBeenCalled();
  });

  test('go on after a Job that cannot be deleted', async () => {
    await using cluster = await VirtualCluster.start();
    const fault = cluster.environment.faults.add(
      { verbs: ['delete'], resource: 'jobs', name: 'first' },
      { answer: 'InternalError' },
    );
    await cluster.watch({ completedTTL: 0 });
    await cluster.run(jobOf('first', 'pi:1'), jobOf('second', 'pi:1'));
    await cluster.advanceTo('00:01:00');
    expect(await cluster.jobs()).toEqual(['first']);
    expect(await cluster.status()).toMatchObject({
      conditions: [{ type: 'Ready', status: 'True' }],
    });
    fault.remove();
    await cluster.advanceTo('00:05:00');
    expect(await cluster.jobs()).toEqual([]);
  });

  test('do not delete a Job that was made again under the name of an expired one', async () => {
    await using cluster = await VirtualCluster.start();
    await cluster.watch({ completedTTL: 60 });
    await cluster.run(jobOf('pi', 'pi:1'));
    await cluster.advanceTo('00:01:09');
    // The operator does not see the new Job before the TTL of the old one ends.
    cluster.environment.faults.add({ resource: 'jobs' }, { watch: 'delay', by: '30s' });
    const key = { namespace: 'default', name: 'pi' };
    await cluster.client.delete(Job, key, { propagationPolicy: 'Background' });
    await cluster.run(jobOf('pi', 'pi:1'));
    await cluster.advanceTo('00:01:15');
    expect(await cluster.jobs()).toEqual(['pi']);
    await cluster.advanceTo('00:03:00');
    expect(await cluster.jobs()).toEqual([]);
  });

  test('report a pattern that is not a regular expression, until it is corrected', async () => {
    await using cluster = await VirtualCluster.start();
    const configuration = { name: 'validating-webhook-configuration' };
    await cluster.client.delete(ValidatingWebhookConfiguration, configuration);
    await cluster.watch({ jobNamePatterns: ['('] });
    expect(await cluster.status()).toMatchObject({
      conditions: [{ type: 'Ready', status: 'False', reason: 'InvalidPattern' }],
    });
    await cluster.run(jobOf('pi', 'pi:1'));
    await cluster.client.patch(JobWatcher, watcher, {
      spec: { jobNamePatterns: ['pi'], completedTTL: 5 },
    });
    await cluster.advanceTo('00:01:00');
    expect(await cluster.jobs()).toEqual([]);
    expect(await cluster.status()).toMatchObject({ conditions: [{ status: 'True' }] });
  });
});
