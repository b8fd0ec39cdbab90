import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ScriptedServer, json, status } from '../../test/scripted-server.ts';
import { eventually } from '../../test/eventually.ts';
import { VirtualClock } from '../../test/virtual-clock.ts';
import { runInContext } from '../context/work-context.ts';
import { createLogger } from '../logging/create-logger.ts';
import { type ConnectedElector, createElector } from './create-elector.ts';

const lease = {
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata: { name: 'my-operator', namespace: 'system', resourceVersion: '1' },
  spec: { holderIdentity: '', leaseTransitions: 3 },
};
let clock: VirtualClock;
let server: ScriptedServer;
let connected: ConnectedElector;
let lines: { level: string; reason?: string; hint?: string }[];
const stop = new AbortController();

beforeEach(async () => {
  clock = new VirtualClock();
  lines = [];
  server = await ScriptedServer.start(({ method, body, response }) =>
    json(response, 200, method === 'GET' ? lease : body),
  );
  const stream = { write: (line: string) => lines.push(JSON.parse(line) as (typeof lines)[number]) };
  connected = createElector(
    { id: 'my-operator', namespace: 'system', identity: 'me' },
    {
      connection: { server: server.url, clock },
      userAgent: 'my-operator/1.0',
      clock,
      logger: createLogger({ stream }),
    },
  );
});

afterEach(async () => {
  await connected.close();
  await server[Symbol.asyncDispose]();
});

test('requests the Lease with its own user agent, outside of any work', async () => {
  const fence = (): void => {
    throw new Error('closed');
  };
  const leadership = await runInContext({ fence, signal: AbortSignal.abort() }, () =>
    connected.elector.acquire(stop.signal),
  );
  expect(leadership?.isOver()).toBe(false);
  expect(server.exchanges.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'GET /apis/coordination.k8s.io/v1/namespaces/system/leases/my-operator',
    'PUT /apis/coordination.k8s.io/v1/namespaces/system/leases/my-operator',
  ]);
  expect(server.exchanges[1]).toMatchObject({
    headers: { 'user-agent': 'my-operator/1.0 leader-election ots-runtime' },
    body: { metadata: lease.metadata, spec: { holderIdentity: 'me', leaseTransitions: 4 } },
  });
  connected.elector.abandon(leadership!);
});

describe('a problem that prevents leading is reported with what to do', () => {
  test.each([
    [
      'a missing role',
      403,
      'Forbidden',
      'This process is not allowed to use the lease system/my-operator: leases is forbidden',
      'Grant get, create and update on leases of coordination.k8s.io in the namespace system.',
    ],
    [
      'a missing namespace',
      404,
      'NotFound',
      'The lease system/my-operator cannot be created: leases is forbidden',
      'Create the namespace system, or name another one with leaderElection.namespace.',
    ],
    [
      'an id that no Lease can have',
      422,
      'Invalid',
      'The lease system/my-operator cannot be created: leases is forbidden',
      'Pass a leaderElection.id that can be the name of an object, such as my-operator.example.com.',
    ],
  ])('%s', async (_, code, reason, message, hint) => {
    server.script = ({ method, response }) => {
      if (reason === 'Invalid' && method === 'GET')
        return json(response, 404, status(404, 'NotFound', 'none'));
      return json(response, code, status(code, reason, 'leases is forbidden'));
    };
    const abort = new AbortController();
    const acquired = connected.elector.acquire(abort.signal);
    await eventually(() => connected.elector.problem !== undefined);
    expect(connected.elector.problem).toBe(message);
    expect(lines.at(-1)).toMatchObject({ level: 'error', reason: message, hint });
    abort.abort();
    expect(await acquired).toBeUndefined();
  });
});

test('a 404 of a proxy does not mean that the lease is missing', async () => {
  server.script = ({ response }) => response.writeHead(404).end('no backend');
  const abort = new AbortController();
  const acquired = connected.elector.acquire(abort.signal);
  await eventually(() => lines.at(-1)?.level === 'warn');
  expect(server.exchanges.map(({ method }) => method)).toEqual(['GET']);
  expect(connected.elector.problem).toBeUndefined();
  abort.abort();
  expect(await acquired).toBeUndefined();
});

test('a server that does not respond costs one attempt of half the deadline', async () => {
  server.script = () => {};
  const abort = new AbortController();
  const acquired = connected.elector.acquire(abort.signal);
  await eventually(() => server.exchanges.length === 1);
  await clock.advance(5000);
  await eventually(() => lines.at(-1)?.level === 'warn');
  expect(lines.at(-1)?.reason).toContain('within 5 s');
  server.script = ({ method, body, response }) => json(response, 200, method === 'GET' ? lease : body);
  await clock.advance(5000);
  const leadership = await acquired;
  expect(leadership?.isOver()).toBe(false);
  connected.elector.abandon(leadership!);
  expect(clock.delays).toEqual([]);
});

test('a standby that stops does not wait for a response', async () => {
  server.script = () => {};
  const abort = new AbortController();
  const acquired = connected.elector.acquire(abort.signal);
  await eventually(() => server.exchanges.length === 1);
  abort.abort();
  expect(await acquired).toBeUndefined();
  expect(clock.delays).toEqual([]);
});
