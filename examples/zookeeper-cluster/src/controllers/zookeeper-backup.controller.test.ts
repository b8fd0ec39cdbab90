// Copyright 2026 The zookeeper-operator authors
// SPDX-License-Identifier: Apache-2.0

import { Job } from 'ots-kubernetes/batch/v1';
import { Secret } from 'ots-kubernetes/core/v1';
import { findCondition } from 'ots-runtime';
import { expect, test } from 'vitest';
import { keyOf, readiness, startOperator } from '../../test/operator.ts';
import { ZookeeperBackup, type ZookeeperBackupSpec } from '../api/v1/zookeeper-backup.ts';
import { ZookeeperCluster } from '../api/v1/zookeeper-cluster.ts';

const version = '3.9.3';

async function start() {
  const operator = await startOperator();
  const { client } = operator;
  return Object.assign(operator, {
    back: (name: string, spec: Partial<ZookeeperBackupSpec> = {}) =>
      client.create(ZookeeperBackup, {
        apiVersion: 'zookeeper.example.com/v1',
        kind: 'ZookeeperBackup',
        metadata: keyOf(name),
        spec: { cluster: 'web', ...spec },
      }),
    /** The reason of the condition `Complete`. */
    progress: async (name: string) => {
      const { status } = await client.getOrThrow(ZookeeperBackup, keyOf(name));
      return findCondition(status?.conditions, 'Complete')?.reason;
    },
    addSecret: (name: string, stringData: Record<string, string>) =>
      client.create(Secret, {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: keyOf(name),
        stringData,
      }),
  });
}

test('a backup is taken once, and a new cluster starts with it, one member after another', async () => {
  await using operator = await start();
  const { client, environment, zookeeper } = operator;

  // Both wait for what they need, in whatever order they are created.
  await operator.create('copy', { size: 1, version, restore: { backup: 'nightly' } });
  await environment.settle();
  expect(readiness(await operator.cluster('copy'))).toBe('False WaitingForBackup');
  await operator.back('nightly');
  await environment.settle();
  expect(await operator.progress('nightly')).toBe('WaitingForCluster');

  await operator.create('web', { size: 1, version });
  // As soon as the cluster can be read, it has a snapshot.
  await environment.advance('30s');
  expect((await client.getOrThrow(ZookeeperBackup, keyOf('nightly'))).status).toMatchObject({
    version,
    volume: 'nightly',
    conditions: [{ type: 'Complete', status: 'True', reason: 'SnapshotTaken' }],
  });
  zookeeper.write('web', 'key', 'value');
  await environment.advance('1m');
  expect(readiness(await operator.cluster('copy'))).toBe('True Ready');
  expect(zookeeper.read('copy-0', 'key')).toBeUndefined();

  // A second backup has the value, and the first one is not taken again.
  await operator.back('later');
  await operator.create('copy2', { size: 2, version, restore: { backup: 'later' } });
  await environment.advance('2m');
  expect(zookeeper.history.filter((change) => /^copy2-. starts/.test(change))).toEqual([
    'copy2-0 starts 3.9.3 of 1',
    'copy2-1 starts 3.9.3 of 2',
    'copy2-0 starts 3.9.3 of 2',
  ]);
  expect(['copy2-0', 'copy2-1'].map((name) => zookeeper.read(name, 'key'))).toEqual([
    'value',
    'value',
  ]);
  expect((await client.list(Job, { namespace: 'default' })).items).toEqual([]);
  const change = client.patch(ZookeeperCluster, keyOf('copy2'), { spec: { restore: null } });
  await expect(change).rejects.toThrow('restore can only be set when the cluster is created');
});

test('a backup of a closed cluster needs credentials, and its Job tries again', async () => {
  await using operator = await start();
  const { environment, zookeeper } = operator;
  zookeeper.authorized = 'digest backup:secret';
  await operator.create('web', { size: 1, version });
  await operator.back('anonymous');
  await operator.addSecret('good', { digest: 'backup:secret' });
  await operator.back('known', { credentials: { secretName: 'good' } });
  await environment.advance('1m');
  expect(await operator.progress('known')).toBe('SnapshotTaken');
  expect(await operator.progress('anonymous')).toBe('InProgress');
  await environment.advance('11m');
  expect(await operator.progress('anonymous')).toBe('SnapshotFailed');
});

test('a backup of a cluster with TLS uses its certificates', async () => {
  await using operator = await start();
  await operator.addSecret('web-tls', { 'ca.pem': 'the authority', 'tls.pem': 'ours' });
  await operator.create('web', { size: 1, version, tls: { secretName: 'web-tls' } });
  await operator.back('nightly');
  await operator.environment.advance('1m');
  expect(await operator.progress('nightly')).toBe('SnapshotTaken');
});

test('a cluster without a majority has no backup, until it is back', async () => {
  await using operator = await start();
  const { environment } = operator;
  await operator.create('web', { size: 3, version });
  await environment.advance('20s');
  const failures = ['web-1', 'web-2'].map((name) =>
    environment.failures.add({ name }, { crashAfter: 0 }),
  );
  await environment.advance('1m');
  await operator.back('nightly');
  await environment.advance('1m');
  expect(await operator.progress('nightly')).toBe('WaitingForQuorum');
  for (const failure of failures) failure.remove();
  await environment.advance('6m');
  expect(await operator.progress('nightly')).toBe('SnapshotTaken');
});

test('a restored cluster with a version that does not exist starts when it is corrected', async () => {
  await using operator = await start();
  const { environment, zookeeper } = operator;
  environment.failures.add({ image: '*:3.9.99' }, { imagePull: 'manifest unknown' });
  await operator.create('web', { size: 1, version });
  await environment.advance('20s');
  zookeeper.write('web', 'key', 'value');
  await operator.back('nightly');
  await operator.create('copy', { size: 1, version: '3.9.99', restore: { backup: 'nightly' } });
  await environment.advance('2m');
  expect(readiness(await operator.cluster('copy'))).toBe('False Starting');
  await operator.change('copy', { version });
  await environment.advance('2m');
  expect(readiness(await operator.cluster('copy'))).toBe('True Ready');
  expect(zookeeper.read('copy-0', 'key')).toBe('value');
});
