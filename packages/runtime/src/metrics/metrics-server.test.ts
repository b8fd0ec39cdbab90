import type { RequestListener } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, test } from 'vitest';
import { MemoryApi } from '../../test/memory-api.ts';
import { eventually } from '../../test/eventually.ts';
import { type Exchange, json } from '../../test/scripted-server.ts';
import { Thing, thing, thingPath } from '../../test/thing.ts';
import { settled } from '../../test/virtual-clock.ts';
import { systemClock } from 'ots-apimachinery/clock/clock';
import { ControllerBuilder } from '../controller/controller-builder.ts';
import { createLogger } from '../logging/create-logger.ts';
import { Manager } from '../manager/manager.ts';
import { ManagerMetrics } from './manager-metrics.ts';
import { type MetricsOptions, metricsServer } from './metrics-server.ts';

const disposables: AsyncDisposable[] = [];

afterEach(async () => {
  for (const disposable of disposables.splice(0).toReversed()) await disposable[Symbol.asyncDispose]();
});

interface Fixture {
  api: MemoryApi;
  manager: Manager;
  lines: string[];
  reviews: () => { path: string; spec: unknown }[];
  get: (
    headers?: Record<string, string>,
    path?: string,
    method?: string,
  ) => Promise<{ code: number; body: string }>;
}

/** A manager with one controller and metrics, on an API server where `good` is a scraper and `stranger` has no permissions. */
async function setUp(secure: boolean, options: Partial<MetricsOptions> = {}): Promise<Fixture> {
  const api = await MemoryApi.start();
  api.put(thingPath('a'), thing('a'));
  api.server.script = (exchange) => review(exchange) || api.serve(exchange);
  const lines: string[] = [];
  const logger = createLogger({ level: 'debug', stream: { write: (line) => lines.push(line) } });
  const manager = await Manager.create({
    connection: api.connection,
    logger,
    metrics: { port: 0, host: '127.0.0.1', secure, ...options },
  });
  disposables.push(api, manager);
  let runs = 0;
  new ControllerBuilder(manager).for(Thing).complete(async () => void (runs += 1));
  void manager.start();
  await eventually(() => runs === 1);
  return {
    api,
    manager,
    lines,
    reviews: () =>
      api.server.exchanges
        .filter(({ path }) => path.endsWith('reviews'))
        .map(({ path, body }) => ({ path, spec: (body as { spec: unknown }).spec })),
    get: (headers = {}, path = '/metrics', method = 'GET') =>
      secure ? getSecure(manager, headers, path, method) : getPlain(manager, path),
  };
}

function review({ path, body, response }: Exchange): boolean {
  const { spec } = (body ?? {}) as { spec?: { token?: string; user?: string } };
  if (path === '/apis/authentication.k8s.io/v1/tokenreviews') {
    {
      const users: Record<string, object> = {
        good: { username: 'scraper', groups: ['monitoring'], extra: { pod: ['p'] } },
        stranger: { username: 'stranger' },
      };
      const user = users[spec?.token ?? ''];
      json(response, 201, { status: user ? { authenticated: true, user } : { authenticated: false } });
    }
    return true;
  }
  if (path === '/apis/authorization.k8s.io/v1/subjectaccessreviews') {
    json(response, 201, { status: { allowed: spec?.user === 'scraper' } });
    return true;
  }
  return false;
}

async function getPlain(manager: Manager, path: string): Promise<{ code: number; body: string }> {
  const response = await fetch(`http://127.0.0.1:${manager.ports.metrics}${path}`);
  return { code: response.status, body: await response.text() };
}

function getSecure(
  manager: Manager,
  headers: Record<string, string>,
  path: string,
  method: string,
): Promise<{ code: number; body: string }> {
  return new Promise((resolve, reject) => {
    const options = {
      host: '127.0.0.1',
      port: manager.ports.metrics,
      path,
      method,
      headers,
      rejectUnauthorized: false,
      agent: false,
    };
    httpsRequest(options, (response) => {
      void text(response).then((body) => resolve({ code: response.statusCode ?? 0, body }));
    })
      .on('error', reject)
      .end();
  });
}

const bearer = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` });

describe('access', () => {
  test('an authorized caller may read them, and the API server is asked once', async () => {
    const { get, reviews } = await setUp(true);
    expect(await get(bearer('good'))).toMatchObject({ code: 200 });
    expect(await get(bearer('good'))).toMatchObject({ code: 200 });
    expect(reviews()).toEqual([
      { path: '/apis/authentication.k8s.io/v1/tokenreviews', spec: { token: 'good' } },
      {
        path: '/apis/authorization.k8s.io/v1/subjectaccessreviews',
        spec: {
          user: 'scraper',
          groups: ['monitoring'],
          extra: { pod: ['p'] },
          nonResourceAttributes: { path: '/metrics', verb: 'get' },
        },
      },
    ]);
  });

  test.each([
    ['a caller without credentials', {}, 401],
    ['a caller with a password', { authorization: 'Basic dTpw' }, 401],
    ['a caller with an unknown token', bearer('bad'), 401],
    ['a known caller without the permission', bearer('stranger'), 403],
  ])('%s is refused', async (_, headers, code) => {
    const { get } = await setUp(true);
    const answer = await get(headers);
    expect(answer.code).toBe(code);
    expect(answer.body).not.toContain('workqueue');
  });

  test('the reconciles and the queues are served to those who may get their paths, and only if that is on', async () => {
    const { get, reviews } = await setUp(true, { debugReconciles: true });
    const [record] = (
      JSON.parse((await get(bearer('good'), '/debug/reconciles')).body) as { records: unknown[] }
    ).records;
    expect(record).toMatchObject({
      controller: 'thing',
      request: { name: 'a', namespace: 'default' },
      reasons: [{ type: 'start', kind: 'Thing', name: 'a' }],
      result: { type: 'done' },
    });
    expect(JSON.parse((await get(bearer('good'), '/debug/queues')).body)).toEqual({
      queues: [{ controller: 'thing', kind: 'Thing', items: [], omitted: 0 }],
    });
    expect(reviews().at(-1)!.spec).toMatchObject({
      nonResourceAttributes: { path: '/debug/queues', verb: 'get' },
    });
    for (const path of ['/debug/reconciles', '/debug/queues']) {
      expect((await get({}, path)).code).toBe(401);
      expect((await get(bearer('stranger'), path)).code).toBe(403);
      expect((await get(bearer('good'), path, 'POST')).code).toBe(405);
    }
    const off = await setUp(true);
    expect((await off.get(bearer('good'), '/debug/reconciles')).code).toBe(404);
  });

  test('other paths and methods are refused after the check', async () => {
    const { get } = await setUp(true);
    expect((await get({}, '/other')).code).toBe(401);
    expect((await get(bearer('good'), '/other')).code).toBe(404);
    expect((await get(bearer('good'), '/metrics', 'POST')).code).toBe(405);
  });

  test('every caller may read them over plain HTTP if they are not secured', async () => {
    const { get, reviews } = await setUp(false);
    expect((await get()).code).toBe(200);
    expect(reviews()).toEqual([]);
  });
});

test('dashboards find the names and labels of controller-runtime', async () => {
  const { api, get } = await setUp(false);
  const { body } = await get();
  for (const line of [
    'controller_runtime_reconcile_total{controller="thing",result="success"} 1',
    'controller_runtime_reconcile_total{controller="thing",result="error"} 0',
    'controller_runtime_reconcile_errors_total{controller="thing"} 0',
    'controller_runtime_terminal_reconcile_errors_total{controller="thing"} 0',
    'controller_runtime_reconcile_time_seconds_count{controller="thing"} 1',
    'controller_runtime_max_concurrent_reconciles{controller="thing"} 1',
    'controller_runtime_active_workers{controller="thing"} 0',
    'workqueue_depth{name="thing",controller="thing",priority="0"} 0',
    'workqueue_adds_total{name="thing",controller="thing"} 1',
    'workqueue_retries_total{name="thing",controller="thing"} 0',
    'workqueue_queue_duration_seconds_count{name="thing",controller="thing"} 1',
    'workqueue_work_duration_seconds_count{name="thing",controller="thing"} 1',
    'workqueue_unfinished_work_seconds{name="thing",controller="thing"} 0',
    'workqueue_longest_running_processor_seconds{name="thing",controller="thing"} 0',
    `rest_client_requests_total{code="200",method="GET",host="${new URL(api.server.url).host}"} `,
    'process_start_time_seconds ',
    'process_cpu_seconds_total ',
    'process_resident_memory_bytes ',
    'nodejs_heap_size_used_bytes ',
  ]) {
    expect(body).toContain(line);
  }
});

test.each<[string, RequestListener]>([
  [
    'throws',
    () => {
      throw new Error('a bug');
    },
  ],
  [
    'rejects',
    async () => {
      await settled();
      throw new Error('a bug');
    },
  ],
])('a custom handler that %s fails only its own request', async (_, handler) => {
  const lines: string[] = [];
  const options = { port: 0, host: '127.0.0.1', secure: false, extraHandlers: { '/debug/state': handler } };
  const server = metricsServer(options, {
    metrics: new ManagerMetrics(),
    client: undefined as never,
    clock: systemClock,
    networkClock: systemClock,
    logger: createLogger({ stream: { write: (line) => lines.push(line) } }),
  });
  disposables.push({ [Symbol.asyncDispose]: async () => server.closeNow() });
  await server.open();
  const answer = await fetch(`http://127.0.0.1:${server.port}/debug/state`);
  expect([answer.status, await answer.text()]).toEqual([500, 'the request could not be served\n']);
  expect(lines.join('')).toContain('handler of the metrics server threw');
});

test('without an access check, reconciles are served on a loopback address only', async () => {
  const { get } = await setUp(false, { debugReconciles: true });
  expect((await get({}, '/debug/reconciles')).body).toContain('"controller":"thing"');
  const open = { port: 0, host: '0.0.0.0', secure: false, debugReconciles: true };
  expect(() => metricsServer(open, {} as never)).toThrow(
    'Anyone who reaches the metrics server could read the reconciles',
  );
});
