import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { VirtualClock, settled } from '../../test/virtual-clock.ts';
import { runInContext } from '../context/work-context.ts';
import type { LocalCall, LocalCallResponse } from '../kubeconfig/local-call.ts';
import { Transport } from './transport.ts';

const post = { method: 'POST', path: '/x', query: { fieldManager: 'me' }, body: { a: 1 } } as const;

/** A transport that calls, with what it calls and what it sends instead. */
function transportWith(answers: readonly (LocalCallResponse | undefined)[]) {
  const clock = new VirtualClock();
  const calls: Parameters<LocalCall>[0][] = [];
  const sent: string[] = [];
  const transport = new Transport({
    server: 'http://127.0.0.1:1',
    token: 'secret',
    impersonate: { user: 'jane' },
    clock,
    random: () => 0,
    call: (request) => Promise.resolve(answers[calls.push(request) - 1]),
    exchange: ({ method, path }) => {
      sent.push(`${method} ${path}`);
      return Promise.resolve({ status: 200, headers: {}, body: Readable.from([Buffer.from('{"b":2}')]) });
    },
  });
  return { clock, calls, sent, transport };
}

test('a call has the method, path, headers and body of the request', async () => {
  const { transport, calls, sent } = transportWith([{ status: 201, body: '{"b":1}' }]);
  expect(await transport.request(post)).toEqual({ b: 1 });
  expect(sent).toEqual([]);
  expect(calls).toEqual([
    {
      method: 'POST',
      path: '/x?fieldManager=me',
      headers: {
        accept: 'application/json',
        authorization: 'Bearer secret',
        'content-type': 'application/json',
        'impersonate-user': 'jane',
        'user-agent': 'ots-runtime',
      },
      body: '{"a":1}',
    },
  ]);
});

test('a server that has the object of its response shares it, frozen', async () => {
  const object = { metadata: { name: 'b' } };
  const { transport } = transportWith([
    { status: 200, body: '{"of": "no interest"}', object },
    { status: 409, body: '{"kind":"Status","reason":"Conflict","code":409}', object: { kind: 'Status' } },
    { status: 200, body: 'as text', object },
  ]);
  const response = await transport.request<typeof object>(post);
  expect(response).toBe(object);
  expect(() => (response.metadata.name = 'c')).toThrow(TypeError);
  await expect(transport.request(post)).rejects.toMatchObject({ reason: 'Conflict' });
  expect(await transport.request({ ...post, responseType: 'text' })).toBe('as text');
});

test('a request that cannot be a call is sent', async () => {
  const { transport, sent } = transportWith([undefined]);
  expect(await transport.request(post)).toEqual({ b: 2 });
  expect(sent).toEqual(['POST /x?fieldManager=me']);
});

test('a refused call is an error, or tried again when the server says so', async () => {
  const status = (code: number) => JSON.stringify({ kind: 'Status', status: 'Failure', code, reason: 'No' });
  const { transport, clock, calls } = transportWith([
    { status: 409, body: status(409) },
    { status: 429, retryAfter: '2', body: status(429) },
    { status: 200, body: '{}' },
  ]);
  await expect(transport.request(post)).rejects.toMatchObject({ status: 409, reason: 'No' });
  const later = transport.request(post);
  await settled();
  expect(calls).toHaveLength(2);
  await clock.advance(2000);
  expect(await later).toEqual({});
});

test('no call is made for work that has ended or is fenced, or by a transport that is closed', async () => {
  const { transport, calls } = transportWith([]);
  const fence = () => {
    throw new Error('not the leader');
  };
  await expect(runInContext({ fence }, () => transport.request(post))).rejects.toThrow('not the leader');
  const signal = AbortSignal.abort(new Error('over'));
  await expect(transport.request({ ...post, signal })).rejects.toThrow('over');
  await transport.close();
  await expect(transport.request(post)).rejects.toThrow('closed');
  expect(calls).toEqual([]);
});
