// Copyright 2026 The zookeeper-operator authors
// SPDX-License-Identifier: Apache-2.0

import { PersistentVolumeClaim, Pod, Secret } from 'ots-kubernetes/core/v1';
import { expect, test } from 'vitest';
import { keyOf, readiness, startOperator } from '../../test/operator.ts';
import { ZookeeperCluster } from '../api/v1/zookeeper-cluster.ts';

const version = '3.9.2';

async function startCluster(size: number) {
  const operator = await startOperator();
  await operator.create('web', { size, version });
  await operator.environment.advance('20s');
  expect(readiness(await operator.cluster('web'))).toBe('True Ready');
  return operator;
}

/** A restart with another version or configuration. */
const restart = (name: string, with_: string) => [`${name} stops`, `${name} starts ${with_}`];

test('the configuration grows and shrinks by one member at a time', async () => {
  await using operator = await startCluster(1);
  operator.zookeeper.write('web', 'key', 'value');
  const growth = await operator.during('5m', () => operator.change('web', { size: 3 }));
  expect(growth).toEqual([
    'web-1 starts 3.9.2 of 2',
    ...restart('web-0', '3.9.2 of 2'),
    'web-2 starts 3.9.2 of 3',
    // The leader, which had the data.
    ...restart('web-1', '3.9.2 of 3'),
    ...restart('web-0', '3.9.2 of 3'),
  ]);
  const grown = await operator.cluster('web');
  expect(readiness(grown)).toBe('True Ready');
  expect(grown.status).toMatchObject({ ensemble: 3, replicas: 3, readyReplicas: 3 });
  expect(operator.zookeeper.read('web-2', 'key')).toBe('value');

  const decline = await operator.during('5m', () => operator.change('web', { size: 1 }));
  expect(decline.filter((change) => change.endsWith('stops')).slice(0, 1)).toEqual(['web-2 stops']);
  expect(decline.at(-1)).toBe('web-0 starts 3.9.2 of 1');
  expect(readiness(await operator.cluster('web'))).toBe('True Ready');
  const { items } = await operator.client.list(PersistentVolumeClaim, { namespace: 'default' });
  expect(items.map(({ metadata }) => metadata.name)).toEqual(['data-web-0']);
  expect(operator.zookeeper.read('web-0', 'key')).toBe('value');
});

test('an upgrade restarts one member after another, and the leader at the end', async () => {
  await using operator = await startCluster(3);
  const leader = (await operator.cluster('web')).status!.leader!;
  const others = ['web-2', 'web-1', 'web-0'].filter((name) => name !== leader);
  const upgrade = await operator.during('5m', () => operator.change('web', { version: '3.9.3' }));
  expect(upgrade).toEqual([...others, leader].flatMap((name) => restart(name, '3.9.3 of 3')));
  expect((await operator.cluster('web')).status).toMatchObject({
    version: '3.9.3',
    readyReplicas: 3,
  });
});

test('a bad version stops at the first member, until it is corrected', async () => {
  await using operator = await startCluster(3);
  operator.environment.failures.add({ image: '*:3.9.99' }, { imagePull: 'manifest unknown' });
  const bad = await operator.during('5m', () => operator.change('web', { version: '3.9.99' }));
  expect(bad).toEqual([expect.stringMatching(/^web-[0-2] stops$/)]);
  const broken = await operator.cluster('web');
  expect([readiness(broken), readiness(broken, 'Quorum')]).toEqual([
    'False Unhealthy',
    'True Serving',
  ]);
  const corrected = await operator.during('1m', () => operator.change('web', { version }));
  expect(corrected).toEqual([bad[0]!.replace('stops', 'starts 3.9.2 of 3')]);
  expect(readiness(await operator.cluster('web'))).toBe('True Ready');
});

test('a member that has lost its data gets it from the others', async () => {
  await using operator = await startCluster(3);
  operator.zookeeper.write('web', 'key', 'value');
  await operator.client.delete(PersistentVolumeClaim, keyOf('data-web-1'));
  await operator.client.delete(Pod, keyOf('web-1'));
  await operator.environment.advance('5m');
  expect(readiness(await operator.cluster('web'))).toBe('True Ready');
  expect(operator.zookeeper.read('web-1', 'key')).toBe('value');
});

test('without a majority the operator shows that and changes nothing, until it is back', async () => {
  await using operator = await startCluster(3);
  const failures = ['web-1', 'web-2'].map((name) =>
    operator.environment.failures.add({ name }, { crashAfter: 0 }),
  );
  await operator.environment.advance('1m');
  const lost = await operator.cluster('web');
  expect(readiness(lost, 'Quorum')).toBe('False QuorumLost');
  const changes = await operator.during('10m', () => operator.change('web', { size: 1 }));
  expect(changes.filter((change) => change.startsWith('web-0'))).toEqual([]);
  expect((await operator.cluster('web')).status).toMatchObject({ ensemble: 3, replicas: 3 });

  for (const failure of failures) failure.remove();
  await operator.environment.advance('10m');
  const back = await operator.cluster('web');
  expect([readiness(back), back.status?.replicas]).toEqual(['True Ready', 1]);
});

test('a cluster with TLS waits for its Secret, and restarts its members when it changes', async () => {
  await using operator = await startOperator();
  const { client, environment, zookeeper } = operator;
  await operator.create('web', { size: 1, version, tls: { secretName: 'web-tls' } });
  await environment.settle();
  expect(readiness(await operator.cluster('web'))).toBe('False WaitingForSecret');
  const stringData = { 'ca.pem': 'the authority', 'tls.pem': 'first' };
  await client.create(Secret, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: keyOf('web-tls'),
    stringData,
  });
  await environment.advance('20s');
  await client.patch(Secret, keyOf('web-tls'), { stringData: { 'tls.pem': 'second' } });
  await environment.advance('1m');
  expect(readiness(await operator.cluster('web'))).toBe('True Ready');
  expect(zookeeper.history).toEqual(['web-0 starts 3.9.2 of 1', ...restart('web-0', '3.9.2 of 1')]);
});

test('a cluster that is deleted and made again starts empty', async () => {
  await using operator = await startCluster(1);
  operator.zookeeper.write('web', 'key', 'value');
  await operator.client.delete(ZookeeperCluster, keyOf('web'));
  await operator.create('web', { size: 1, version });
  await operator.environment.advance('10m');
  expect(readiness(await operator.cluster('web'))).toBe('True Ready');
  expect(operator.zookeeper.read('web-0', 'key')).toBeUndefined();
});
