import { expect, onTestFinished, test } from 'vitest';
import { eventually } from '../../test/eventually.ts';
import { type Exchange, ScriptedServer, json } from '../../test/scripted-server.ts';
import { Transport } from './transport.ts';

const path = '/api/v1/namespaces/default/configmaps';

/** A server that keeps every request waiting. */
async function setUp() {
  const waiting: Exchange[] = [];
  const server = await ScriptedServer.start((exchange) => waiting.push(exchange));
  const transport = new Transport({ server: server.url, token: 'old' });
  onTestFinished(async () => {
    await transport.close();
    await server[Symbol.asyncDispose]();
  });
  return { server, transport, waiting };
}

const outcome = (call: Promise<unknown>): Promise<unknown> => call.catch((error: unknown) => error);

test('new credentials are sent from the next request on, and a request in progress ends with the old ones', async () => {
  const { server, transport, waiting } = await setUp();
  const early = transport.request({ method: 'POST', path, body: {} });
  await eventually(() => waiting.length === 1);
  transport.renew({ server: server.url, token: 'new' });
  const late = transport.request({ method: 'POST', path, body: {} });
  await eventually(() => waiting.length === 2);
  expect(waiting.map(({ headers }) => headers.authorization)).toEqual(['Bearer old', 'Bearer new']);
  for (const [index, { response }] of waiting.entries()) json(response, 201, { index });
  expect(await Promise.all([early, late])).toEqual([{ index: 0 }, { index: 1 }]);
});

test('credentials that contradict themselves change nothing', async () => {
  const { server, transport, waiting } = await setUp();
  expect(() => transport.renew({ server: server.url, token: 'new', username: 'too' })).toThrow(
    expect.objectContaining({ code: 'CONNECTION_CONFIG' }),
  );
  const request = transport.request({ method: 'GET', path });
  await eventually(() => waiting.length === 1);
  expect(waiting[0]!.headers.authorization).toBe('Bearer old');
  json(waiting[0]!.response, 200, {});
  await request;
});

test('what is still in progress after many renewals fails, and closing ends the rest', async () => {
  const { server, transport, waiting } = await setUp();
  const oldest = outcome(transport.request({ method: 'POST', path, body: {} }));
  await eventually(() => waiting.length === 1);
  for (let round = 0; round < 8; round += 1) transport.renew({ server: server.url, token: `${round}` });
  const latest = outcome(transport.request({ method: 'POST', path, body: {} }));
  await eventually(() => waiting.length === 2);
  transport.renew({ server: server.url, token: 'last' });
  expect(await oldest).toBeInstanceOf(Error);
  await transport.close();
  expect(await latest).toBeInstanceOf(Error);
});
