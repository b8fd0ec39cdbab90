// Copyright 2026 The etcd-operator authors
// SPDX-License-Identifier: Apache-2.0

import { StatefulSet } from 'ots-kubernetes/apps/v1';
import { PersistentVolumeClaim, Pod } from 'ots-kubernetes/core/v1';
import { expect, test } from 'vitest';
import { EtcdCluster } from '../api/v1/etcd-cluster.ts';
import { keyOf, readiness, startOperator } from '../../test/operator.ts';

const version = '3.5.20';

/** Starts the operator with a cluster that is ready. */
async function startCluster(size: number) {
  const operator = await startOperator();
  await operator.create('web', { size, version });
  await operator.environment.advance('20s');
  expect(readiness(await operator.cluster('web'))).toBe('True Ready');
  const { client, environment, etcd } = operator;
  return {
    ...operator,
    /** What happens to the members in a time. */
    during: async (time: '1m' | '5m' | '10m', act: () => Promise<unknown>) => {
      const before = etcd.history.length;
      await act();
      await environment.advance(time);
      return etcd.history.slice(before);
    },
    change: (spec: Partial<EtcdCluster['spec']>) =>
      client.patch(EtcdCluster, keyOf('web'), { spec }),
    /** A machine fails with its disk: the pod and the volume are gone. */
    lose: async (name: string) => {
      await client.delete(PersistentVolumeClaim, keyOf(`data-${name}`));
      await client.delete(Pod, keyOf(name), { gracePeriodSeconds: 0 });
    },
    volumes: async () => {
      const { items } = await client.list(PersistentVolumeClaim, { namespace: 'default' });
      return items.map(({ metadata }) => metadata.name);
    },
  };
}

test('members come and go one at a time, and their volumes with them', async () => {
  await using operator = await startCluster(3);
  const { history } = operator.etcd;
  expect(history).toEqual([
    'web-0 starts 3.5.20',
    'adds web-1',
    'web-1 starts 3.5.20',
    'adds web-2',
    'web-2 starts 3.5.20',
  ]);
  await operator.ask('web', '/v3/kv/put', { key: 'a2V5', value: 'dmFsdWU=' });

  expect(await operator.during('1m', () => operator.change({ size: 1 }))).toEqual([
    'removes web-2',
    'removes web-1',
  ]);
  expect(await operator.cluster('web')).toMatchObject({
    status: { replicas: 1, readyReplicas: 1 },
  });
  expect(await operator.volumes()).toEqual(['data-web-0']);

  const growth = await operator.during('1m', () => operator.change({ size: 2 }));
  expect(growth).toEqual(['adds web-1', 'web-1 starts 3.5.20']);
  expect(readiness(await operator.cluster('web'))).toBe('True Ready');
  const { kvs } = await operator.ask('web', '/v3/kv/range', { key: 'a2V5' });
  expect(kvs).toMatchObject([{ value: 'dmFsdWU=' }]);
});

test('an upgrade restarts one member after another, and the leader at the end', async () => {
  await using operator = await startCluster(3);
  expect((await operator.cluster('web')).status).toMatchObject({ leader: 'web-0', version });
  const upgrade = await operator.during('1m', () => operator.change({ version: '3.5.21' }));
  expect(upgrade).toEqual(
    ['web-2', 'web-1', 'web-0'].flatMap((name) => [`${name} stops`, `${name} starts 3.5.21`]),
  );
  const cluster = await operator.cluster('web');
  expect(readiness(cluster)).toBe('True Ready');
  expect(cluster.status).toMatchObject({ leader: 'web-2', version: '3.5.21' });
});

test('a bad version stops at the first member, until it is corrected', async () => {
  await using operator = await startCluster(3);
  const failure = operator.environment.failures.add(
    { image: '*:v3.5.99' },
    { imagePull: 'manifest unknown' },
  );
  expect(await operator.during('5m', () => operator.change({ version: '3.5.99' }))).toEqual([
    'web-2 stops',
  ]);
  const broken = await operator.cluster('web');
  expect([readiness(broken), readiness(broken, 'Quorum')]).toEqual([
    'False Unhealthy',
    'True Healthy',
  ]);
  expect(await operator.during('1m', () => operator.change({ version }))).toEqual([
    'web-2 starts 3.5.20',
  ]);
  expect(readiness(await operator.cluster('web'))).toBe('True Ready');
  failure.remove();
});

test('a member that has lost its data is replaced by a new one', async () => {
  await using operator = await startCluster(3);
  await operator.ask('web', '/v3/kv/put', { key: 'a2V5', value: 'dmFsdWU=' });
  const before = await operator.cluster('web');
  const recovery = await operator.during('10m', () => operator.lose('web-1'));
  expect(recovery).toEqual(['web-1 stops', 'removes web-1', 'adds web-1', 'web-1 starts 3.5.20']);
  const after = await operator.cluster('web');
  expect(readiness(after)).toBe('True Ready');
  const ids = [before, after].map(({ status }) => status?.members?.map(({ id }) => id));
  expect(ids[1]![1]).not.toBe(ids[0]![1]);
  expect([ids[1]![0], ids[1]![2]]).toEqual([ids[0]![0], ids[0]![2]]);
  await operator.lose('web-0');
  await operator.environment.advance('10m');
  expect(readiness(await operator.cluster('web'))).toBe('True Ready');
  const { kvs } = await operator.ask('web', '/v3/kv/range', { key: 'a2V5' });
  expect(kvs).toMatchObject([{ value: 'dmFsdWU=' }]);
});

test('without a majority the operator shows that and changes nothing, until it is back', async () => {
  await using operator = await startCluster(3);
  const failures = ['web-1', 'web-2'].map((name) =>
    operator.environment.failures.add({ name }, { crashAfter: 0 }),
  );
  await operator.environment.advance('1m');
  const lost = await operator.cluster('web');
  expect(readiness(lost, 'Quorum')).toBe('False QuorumLost');
  expect(lost.status?.conditions).toContainEqual(
    expect.objectContaining({
      message:
        '0 of 3 members are healthy, 2 are needed: the operator changes nothing until they are back',
    }),
  );
  const set = await operator.client.getOrThrow(StatefulSet, keyOf('web'));
  const changes = await operator.during('10m', async () => {
    await operator.change({ size: 1 });
    await operator.client.delete(StatefulSet, keyOf('web'), { propagationPolicy: 'Orphan' });
  });
  expect(changes.filter((change) => /^(adds|removes)|web-0/.test(change))).toEqual([]);
  expect((await operator.client.getOrThrow(StatefulSet, keyOf('web'))).spec).toEqual(set.spec);

  for (const failure of failures) failure.remove();
  await operator.environment.advance('10m');
  const back = await operator.cluster('web');
  expect([readiness(back), back.status?.replicas]).toEqual(['True Ready', 1]);
});

test('a cluster whose data is lost stays lost: the operator makes no empty one in its place', async () => {
  await using operator = await startCluster(1);
  expect(await operator.during('10m', () => operator.lose('web-0'))).toEqual(['web-0 stops']);
  expect(readiness(await operator.cluster('web'), 'Quorum')).toBe('False QuorumLost');
});

test('a cluster that is deleted and made again starts empty', async () => {
  await using operator = await startCluster(1);
  await operator.ask('web', '/v3/kv/put', { key: 'a2V5', value: 'dmFsdWU=' });
  const before = await operator.cluster('web');
  await operator.client.delete(EtcdCluster, keyOf('web'));
  await operator.create('web', { size: 1, version });
  await operator.environment.advance('10m');
  const after = await operator.cluster('web');
  expect(readiness(after)).toBe('True Ready');
  expect(after.status?.clusterID).not.toBe(before.status?.clusterID);
  expect((await operator.ask('web', '/v3/kv/range', { key: 'a2V5' })).kvs).toEqual([]);
});
