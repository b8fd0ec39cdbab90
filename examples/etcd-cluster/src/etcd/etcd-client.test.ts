// Copyright 2026 The etcd-operator authors
// SPDX-License-Identifier: Apache-2.0

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { EtcdClient } from './etcd-client.ts';
import { httpTransport } from './transport.ts';

/** A member that answers what a test says, and remembers the requests. */
async function startMember(answers: Record<string, [status: number, body: string]>) {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    void text(request).then((sent) => {
      requests.push(`${request.method} ${request.url} ${sent}`);
      const [status, body] = answers[request.url!] ?? [404, 'Not Found'];
      response.writeHead(status).end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  const client = new EtcdClient(httpTransport, endpoint, undefined, new AbortController().signal);
  return { requests, client, close, [Symbol.asyncDispose]: close };
}

test('the client speaks the HTTP/JSON protocol of etcd, with IDs of 64 bits', async () => {
  const list =
    '{"header":{"cluster_id":"14841639068965178418"},"members":[{"ID":"10276657743932975437","peerURLs":["http://a:2380"]}]}';
  await using member = await startMember({
    '/health': [503, '{"health":"false"}'],
    '/v3/cluster/member/list': [200, list],
    '/v3/cluster/member/remove': [200, list],
    '/v3/cluster/member/add': [503, '{"error":"etcdserver: unhealthy cluster","code":14}'],
  });
  const { client, requests } = member;
  expect(await client.isHealthy()).toBe(false);
  const { header, members } = await client.members(false);
  expect([header.cluster_id, members[0]!.ID]).toEqual([
    '14841639068965178418',
    '10276657743932975437',
  ]);
  await client.removeMember(members[0]!.ID);
  await expect(client.addMember('http://b:2380')).rejects.toThrow(
    'etcd answers /v3/cluster/member/add with 503: {"error":"etcdserver: unhealthy cluster","code":14}',
  );
  expect(requests).toEqual([
    'GET /health ',
    'POST /v3/cluster/member/list {"linearizable":false}',
    'POST /v3/cluster/member/remove {"ID":"10276657743932975437"}',
    'POST /v3/cluster/member/add {"peerURLs":["http://b:2380"]}',
  ]);
});

test('a member that is not there is an error', async () => {
  const member = await startMember({});
  await member.close();
  await expect(member.client.status()).rejects.toThrow('ECONNREFUSED');
});
