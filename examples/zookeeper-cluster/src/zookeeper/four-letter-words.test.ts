// Copyright 2026 The zookeeper-operator authors
// SPDX-License-Identifier: Apache-2.0

import { type AddressInfo, createServer } from 'node:net';
import { expect, test } from 'vitest';
import { type Connect, askState, connectBySocket, parseState } from './four-letter-words.ts';

const answer = `Zookeeper version: 3.9.3-c26634f34490bb0ea7a09cc51e05ede3b4e320ee, built on 2024-10-17 23:21 UTC
Latency min/avg/max: 0/0.0/0
Received: 2
Sent: 1
Connections: 1
Outstanding: 0
Zxid: 0x100000000
Mode: follower
Node count: 5
`;

test('the state of a member is its version and its mode', () => {
  expect(parseState(answer)).toEqual({ version: '3.9.3', mode: 'follower' });
  expect(parseState('This ZooKeeper instance is not currently serving requests\n')).toBeUndefined();
});

test('a member answers a word over a socket, and one that is not there has no state', async () => {
  const server = createServer((socket) => {
    socket.once('data', (word) => socket.end(String(word) === 'srvr' ? answer : ''));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  // The port of a test is a free one.
  const connect: Connect = (_, host) => connectBySocket(port, host);
  const { signal } = new AbortController();
  expect(await askState(connect, '127.0.0.1', signal)).toEqual({
    version: '3.9.3',
    mode: 'follower',
  });
  await new Promise((resolve) => server.close(resolve));
  expect(await askState(connect, '127.0.0.1', signal)).toBeUndefined();
});
