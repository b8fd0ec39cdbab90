import { expect, onTestFinished, test } from 'vitest';
import { ScriptedServer, json, status } from '../../test/scripted-server.ts';
import { NamespaceList } from '../cache/namespace-list.ts';
import type { ConnectionConfig } from '../kubeconfig/connection-config.ts';
import { createLogger } from '../logging/create-logger.ts';
import { Manager } from './manager.ts';
import type { ManagerOptions } from './manager-options.ts';

type Line = Record<string, unknown> & { level: string; msg: string };

/** Starts a manager without controllers; what it says, and what its start came to. */
async function start(
  connection: ConnectionConfig,
  options: Partial<ManagerOptions> = {},
): Promise<{ lines: Line[]; error: unknown; text: string }> {
  let text = '';
  const logger = createLogger({
    level: 'debug',
    format: 'json',
    stream: { write: (line) => (text += line) },
  });
  const manager = await Manager.create({ connection, logger, ...options });
  onTestFinished(() => manager.stop());
  const run = manager.start();
  const error = await Promise.race([run, manager.ready]).catch((reason: unknown) => reason);
  await manager.stop();
  await run.catch(() => {});
  const lines = text.trimEnd().split('\n');
  return { lines: lines.map((line) => JSON.parse(line) as Line), error, text };
}

/** A server that answers everything with this. */
async function answering(code: number, body: unknown): Promise<string> {
  const server = await ScriptedServer.start(({ response }) => json(response, code, body));
  onTestFinished(() => server[Symbol.asyncDispose]());
  return server.url;
}

test('the first line shows what starts, where and as which user, and no secrets', async () => {
  const server = await answering(200, { gitVersion: 'v1.35.0' });
  const { lines, error, text } = await start(
    { server: server.replace('http://', 'http://user:hidden@'), token: 'hidden', context: 'kind' },
    { userAgent: 'my-operator/1.2', cache: { namespaces: ['a', 'b'] } },
  );
  expect(error).toBeUndefined();
  expect(text).not.toContain('hidden');
  expect(lines[0]).toEqual({
    level: 'info',
    time: expect.any(String),
    operator: 'my-operator/1.2',
    runtime: expect.stringMatching(/^\d+\.\d+\.\d+/),
    node: process.version,
    server: server.replace('http://', 'http://[masked]@'),
    context: 'kind',
    namespaces: ['a', 'b'],
    controllers: [],
    webhooks: [],
    msg: 'the manager is starting',
  });
  expect(lines[1]).toMatchObject({ kubernetes: 'v1.35.0', msg: 'connected to the API server' });
});

test.each([
  [undefined, 'all'],
  [new NamespaceList(['a']), ['a']],
  [{ labelSelector: { matchLabels: { team: 'a' } } }, 'labels team=a'],
])('the first line shows which namespaces are cached: %j', async (namespaces, shown) => {
  const server = await answering(200, { gitVersion: 'v1.35.0' });
  const { lines } = await start({ server }, { cache: { namespaces } });
  expect(lines[0]).toMatchObject({ namespaces: shown });
});

test.each([403, 404, 500])(
  'a server that responds counts as reachable, also when it responds with %i',
  async (code) => {
    const { error, lines } = await start({ server: await answering(code, status(code, 'No')) });
    expect(error).toBeUndefined();
    expect(lines.filter(({ level }) => level !== 'info')).toMatchObject([
      { level: 'debug', msg: 'cannot read the version of the API server' },
    ]);
  },
);

test.each([
  ['credentials that the server does not accept', 401, status(401, 'Unauthorized'), 'Unauthorized'],
  ['something that is not an API server', 200, '<html>', 'The response to GET /version is not JSON'],
])('the start fails at once because of %s', async (_, code, body, message) => {
  const server = await ScriptedServer.start(({ response }) => {
    response.writeHead(code).end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  onTestFinished(() => server[Symbol.asyncDispose]());
  expect((await start({ server: server.url })).error).toMatchObject({ message });
});

test('the start fails at once because of an unreachable server, which is logged once', async () => {
  // Nothing listens there: the port of TCPMUX.
  const { error, lines } = await start({ server: 'http://127.0.0.1:1' });
  expect(error).toMatchObject({
    code: 'CONNECTION_FAILED',
    message: expect.stringMatching(/^Cannot reach http:\/\/127\.0\.0\.1:1: /),
  });
  expect(lines.filter(({ level }) => level !== 'info')).toEqual([]);
});
