// Copyright 2026 The etcd-operator authors
// SPDX-License-Identifier: Apache-2.0

import { Secret } from 'ots-kubernetes/core/v1';
import { expect, test } from 'vitest';
import { keyOf, readiness, startOperator } from '../../test/operator.ts';

const version = '3.5.20';
const secret = (certificate: string): Secret => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: keyOf('web-tls'),
  stringData: { 'ca.crt': 'the authority', 'tls.crt': certificate, 'tls.key': 'the key' },
});

test('a cluster with TLS waits for its Secret, and its members restart one after another when it changes', async () => {
  await using operator = await startOperator();
  const { client, environment, etcd } = operator;
  await operator.create('web', { size: 2, version, tls: { secretName: 'web-tls' } });
  await environment.settle();
  const waiting = await operator.cluster('web');
  expect(waiting.status?.conditions).toMatchObject([
    {
      type: 'Ready',
      status: 'False',
      reason: 'WaitingForSecret',
      message: 'Secret web-tls does not exist',
    },
  ]);

  await client.create(Secret, secret('first'));
  await environment.advance('20s');
  expect(readiness(await operator.cluster('web'))).toBe('True Ready');
  const before = etcd.history.length;
  await client.patch(Secret, keyOf('web-tls'), { stringData: { 'tls.crt': 'second' } });
  await environment.advance('1m');
  const restarts = ['web-1', 'web-0'].flatMap((name) => [`${name} stops`, `${name} starts 3.5.20`]);
  expect(etcd.history.slice(before)).toEqual(restarts);

  await client.delete(Secret, keyOf('web-tls'));
  await environment.advance('1m');
  expect(readiness(await operator.cluster('web'))).toBe('False WaitingForSecret');
  expect(etcd.history.slice(before)).toEqual(restarts); // it continues to run
});
