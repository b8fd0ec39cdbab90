// Copyright 2026 The etcd-operator authors
// SPDX-License-Identifier: Apache-2.0

import { Job } from 'ots-kubernetes/batch/v1';
import { expect, test } from 'vitest';
import { EtcdBackup } from '../api/v1/etcd-backup.ts';
import { EtcdCluster } from '../api/v1/etcd-cluster.ts';
import { keyOf, readiness, startOperator } from '../../test/operator.ts';

const version = '3.5.20';
const backup: EtcdBackup = {
  apiVersion: 'etcd.example.com/v1',
  kind: 'EtcdBackup',
  metadata: keyOf('nightly'),
  spec: { cluster: 'web' },
};

test('a backup is taken once, and a new cluster starts with it', async () => {
  await using operator = await startOperator();
  const { client, environment } = operator;
  const value = async (cluster: string) =>
    (await operator.ask(cluster, '/v3/kv/range', { key: 'a2V5' })).kvs?.map((each) => each.value);

  // Both wait for what they need, in whatever order they are created.
  await operator.create('copy', { size: 2, version, restore: { backup: 'nightly' } });
  await environment.settle();
  expect(readiness(await operator.cluster('copy'))).toBe('False WaitingForBackup');
  await client.create(EtcdBackup, backup);
  await environment.settle();
  expect((await client.get(EtcdBackup, keyOf('nightly')))?.status?.conditions).toMatchObject([
    { type: 'Complete', status: 'False', reason: 'WaitingForCluster' },
  ]);

  await operator.create('web', { size: 1, version });
  // As soon as the cluster can be read, it has a snapshot.
  await environment.advance('30s');
  expect((await client.get(EtcdBackup, keyOf('nightly')))?.status).toMatchObject({
    version,
    volume: 'nightly',
    conditions: [{ type: 'Complete', status: 'True' }],
  });
  await operator.ask('web', '/v3/kv/put', { key: 'a2V5', value: 'bGF0ZXI=' });
  await environment.advance('1m');
  expect(readiness(await operator.cluster('copy'))).toBe('True Ready');
  expect(await value('copy')).toEqual([]);

  // A second backup has the value, and the first one is not taken again.
  await client.create(EtcdBackup, { ...backup, metadata: keyOf('later') });
  await operator.create('copy2', { size: 1, version, restore: { backup: 'later' } });
  await environment.advance('2m');
  expect(await value('copy2')).toEqual(['bGF0ZXI=']);
  expect((await client.list(Job, { namespace: 'default' })).items).toEqual([]);
  const change = client.patch(EtcdCluster, keyOf('copy2'), { spec: { restore: null } });
  await expect(change).rejects.toThrow('restore can only be set when the cluster is created');
});
