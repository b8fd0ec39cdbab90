import { get } from 'node:http';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { eventually } from '../../test/eventually.ts';
import { createLogger } from '../logging/create-logger.ts';
import { ProfilingServer } from './profiling-server.ts';

let server: ProfilingServer;
let lines: string[];

beforeEach(async () => {
  lines = [];
  const logger = createLogger({ stream: { write: (line) => lines.push(line) } });
  server = new ProfilingServer({ port: 0 }, logger);
  await server.open();
});

afterEach(() => server.closeNow());

function fetchProfile(path: string): Promise<Response> {
  return fetch(`http://127.0.0.1:${server.port}${path}`);
}

test('a CPU profile has the format of the developer tools', async () => {
  const response = await fetchProfile('/debug/pprof/profile?seconds=0.05');
  expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="\S+\.cpuprofile"$/);
  expect(await response.json()).toMatchObject({ nodes: expect.any(Array), samples: expect.any(Array) });
});

test('a heap profile has the format of the developer tools', async () => {
  const response = await fetchProfile('/debug/pprof/heap?seconds=0.05');
  expect(response.headers.get('content-disposition')).toContain('.heapprofile"');
  expect(await response.json()).toMatchObject({ head: { callFrame: { functionName: '(root)' } } });
});

test('a heap snapshot is streamed whole', async () => {
  const response = await fetchProfile('/debug/pprof/heapsnapshot');
  expect(response.headers.get('content-disposition')).toContain('.heapsnapshot"');
  const text = await response.text();
  expect(text.startsWith('{"snapshot":{"meta":')).toBe(true);
  expect(text.trimEnd().endsWith(']}')).toBe(true);
}, 60_000);

test('one is taken at a time, and a client that hangs up ends its profile', async () => {
  const hangingUp = get(`http://127.0.0.1:${server.port}/debug/pprof/profile?seconds=600`);
  hangingUp.on('error', () => {});
  await eventually(() => lines.length === 1);
  expect((await fetchProfile('/debug/pprof/heap?seconds=0.01')).status).toBe(409);
  hangingUp.destroy();
  for (let status = 409; status !== 200;)
    status = (await fetchProfile('/debug/pprof/heap?seconds=0.01')).status;
  expect(process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length).toBeLessThan(10);
});

test.each([
  ['/debug/pprof/', 200],
  ['/debug/pprof/profile?seconds=0', 400],
  ['/debug/pprof/profile?seconds=601', 400],
  ['/debug/pprof/profile?seconds=long', 400],
  ['/debug/pprof/trace', 404],
  ['/', 404],
])('%s returns %i', async (path, status) => {
  expect((await fetchProfile(path)).status).toBe(status);
});

test('the end of the process does not wait for a profile', async () => {
  const waiting = fetchProfile('/debug/pprof/profile?seconds=600').catch(() => 'cut off');
  await eventually(() => lines.length === 1);
  await server.close();
  expect(await waiting).toBe('cut off');
});

test('an invalid target does no harm', async () => {
  const { port } = server;
  const answer = await new Promise((resolve, reject) => {
    get({ port, host: '127.0.0.1', path: '//' }, (response) => resolve(response.resume().statusCode)).on(
      'error',
      reject,
    );
  });
  expect(answer).toBe(404);
});

test('only GET is served', async () => {
  const url = `http://127.0.0.1:${server.port}/debug/pprof/profile?seconds=0.01`;
  expect((await fetch(url, { method: 'POST' })).status).toBe(405);
});
