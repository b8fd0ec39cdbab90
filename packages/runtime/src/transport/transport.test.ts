import { getEventListeners, once, setMaxListeners } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, type Socket, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { eventually } from '../../test/eventually.ts';
import { expectNothingOpen } from '../../test/open-resources.ts';
import {
  type Exchange as ServerExchange,
  type Script,
  ScriptedServer,
  json,
  status,
} from '../../test/scripted-server.ts';
import { VirtualClock } from '../../test/virtual-clock.ts';
import { isTimeout } from '../errors/api-error.ts';
import type { ConnectionConfig } from '../kubeconfig/connection-config.ts';
import type { Tracer } from '../tracing/tracer.ts';
import { Transport } from './transport.ts';
import type { Exchange, TransportObserver, TransportOptions } from './transport-options.ts';

let cleanUp: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const each of cleanUp.toReversed()) await each();
  cleanUp = [];
});

async function setUp(
  scripts: Script[],
  config: Partial<ConnectionConfig> = {},
  options: TransportOptions = {},
) {
  const left = [...scripts];
  const server = await ScriptedServer.start((exchange) =>
    (left.length > 1 ? left.shift()! : left[0]!)(exchange),
  );
  const clock = new VirtualClock();
  const observed: Exchange[] = [];
  const observer: TransportObserver = {
    exchanged: (exchange) => void observed.push(exchange),
    retried: (method, host) => void retries.push(`${method} ${host}`),
  };
  const retries: string[] = [];
  const transport = new Transport(
    { server: server.url, clock, random: () => 0, ...config },
    { observer, ...options },
  );
  cleanUp.push(
    () => server[Symbol.asyncDispose](),
    () => transport.close(),
  );
  return { server, clock, transport, observed, retries };
}

const ok = ({ response }: ServerExchange): void => json(response, 200, { fine: true });
const broken: Script = ({ response }) => response.socket?.resetAndDestroy();
const get = { method: 'GET', path: '/api/v1/pods' } as const;
const post = { method: 'POST', path: '/api/v1/pods', body: {} } as const;

function refuse(code: number, reason: string, headers: Record<string, string> = {}): Script {
  return ({ response }) => json(response, code, status(code, reason, `because of ${reason}`), headers);
}

describe('failures', () => {
  test('a Status becomes an ApiError with all of its details', async () => {
    const details = {
      name: 'a',
      causes: [{ field: 'spec.size', message: 'too big', reason: 'FieldValueInvalid' }],
    };
    const { transport } = await setUp([
      ({ response }) => json(response, 422, { ...status(422, 'Invalid', 'a is invalid'), details }),
    ]);
    await expect(transport.request(get)).rejects.toMatchObject({
      name: 'ApiError',
      code: 'API_ERROR',
      status: 422,
      reason: 'Invalid',
      message: 'a is invalid',
      details,
    });
  });

  test('a response from a proxy is reported by its status, and not quoted', async () => {
    const { transport } = await setUp([
      ({ response }) => response.writeHead(502).end('<h1>Bad gateway of secret.internal</h1>'),
    ]);
    const error = await transport.request(get).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ status: 502, reason: 'Unknown', foreign: true });
    expect((error as Error).message).toBe('The response to GET /api/v1/pods was 502 Unknown');
  });

  test('a success that is not JSON is an error', async () => {
    const { transport } = await setUp([({ response }) => response.end('<html>log in</html>')]);
    await expect(transport.request(get)).rejects.toMatchObject({ code: 'CONNECTION_FAILED' });
  });

  test('a truncated response is an error', async () => {
    const { transport } = await setUp([
      ({ response }) => {
        response.writeHead(200, { 'content-length': '100' });
        response.write('{"half":', () => response.socket?.resetAndDestroy());
      },
    ]);
    await expect(transport.request(post)).rejects.toThrow(/was cut off/);
  });

  test('a response that is not HTTP is an error that does not quote it, even in its causes', async () => {
    const answers = ['HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}XXs3cr3t\r\n', 's3cr3t'];
    const { transport } = await setUp(
      answers.map(
        (text) =>
          ({ response }) =>
            response.socket!.end(text),
      ),
    );
    for (const _ of answers) {
      const error: unknown = await transport.request(post).catch((reason: unknown) => reason);
      expect(error).toMatchObject({ code: 'CONNECTION_FAILED' });
      expect(inspect(error, { depth: 9 })).not.toContain('s3cr3t');
    }
  });

  test('an unreachable server is named', async () => {
    const transport = new Transport({ server: 'http://127.0.0.1:1' });
    cleanUp.push(() => transport.close());
    await expect(transport.request(get)).rejects.toMatchObject({
      code: 'CONNECTION_FAILED',
      message: expect.stringContaining('http://127.0.0.1:1'),
    });
  });

  test.each(['', 'localhost:6443', 'ftp://host'])('%j is refused as a server', (server) => {
    expect(() => new Transport({ server })).toThrow(/not the URL of an API server/);
  });
});

describe('retries', () => {
  test.each([
    [429, 'TooManyRequests'],
    [503, 'ServiceUnavailable'],
  ])('%i with Retry-After is retried after that time, even for a write', async (code, reason) => {
    const { server, clock, transport } = await setUp([refuse(code, reason, { 'retry-after': '3' }), ok]);
    const answer = transport.request(post);
    await eventually(() => clock.delays.includes(3000));
    await clock.advance(3000);
    expect(await answer).toEqual({ fine: true });
    expect(server.exchanges).toHaveLength(2);
  });

  test('do not happen without Retry-After, for other codes, or forever', async () => {
    const { server, clock, transport } = await setUp([refuse(503, 'ServiceUnavailable')]);
    await expect(transport.request(get)).rejects.toMatchObject({ status: 503 });
    server.script = refuse(500, 'InternalError', { 'retry-after': '1' });
    await expect(transport.request(get)).rejects.toMatchObject({ status: 500 });
    server.script = refuse(429, 'TooManyRequests', { 'retry-after': '3600' });
    await expect(transport.request(get)).rejects.toMatchObject({ status: 429 });
    expect(server.exchanges).toHaveLength(3);
    server.script = refuse(429, 'TooManyRequests', { 'retry-after': '1' });
    const answer = transport.request(get).catch((error: unknown) => error);
    for (let retry = 0; retry < 5; retry += 1) {
      await eventually(() => clock.delays.includes(1000));
      await clock.advance(1000);
    }
    expect(await answer).toMatchObject({ status: 429, retryAfter: 1000 });
    expect(server.exchanges).toHaveLength(9);
  });

  test('a read over a connection that breaks is retried, a write is not', async () => {
    const { server, clock, transport } = await setUp([broken, ok]);
    const answer = transport.request(get);
    await eventually(() => clock.delays.includes(50));
    await clock.advance(50);
    expect(await answer).toEqual({ fine: true });
    server.script = broken;
    await expect(transport.request(post)).rejects.toMatchObject({ code: 'CONNECTION_FAILED' });
    expect(server.exchanges).toHaveLength(3);
  });

  test('an abort ends the waiting', async () => {
    const { clock, transport } = await setUp([refuse(429, 'TooManyRequests', { 'retry-after': '3' })]);
    const abort = new AbortController();
    const answer = transport.request({ ...get, signal: abort.signal }).catch((error: unknown) => error);
    await eventually(() => clock.delays.includes(3000));
    abort.abort(new Error('enough'));
    expect(await answer).toMatchObject({ message: 'enough' });
    expect(clock.delays).toEqual([]);
  });
});

describe('time', () => {
  test('a request without a response within 30 s is aborted', async () => {
    const { server, clock, transport } = await setUp([() => {}]);
    const answer = transport.request(get).catch((error: unknown) => error);
    await eventually(() => server.exchanges.length === 1);
    await clock.advance(30_000);
    expect(await answer).toMatchObject({ message: 'No response to GET /api/v1/pods within 30 s' });
    expect(clock.delays).toEqual([]);
  });

  test('waiting for credentials ends with the request', async () => {
    const never = (): Promise<never> => new Promise(() => {});
    const { clock, transport } = await setUp([ok], { headers: never });
    const answer = transport.request(get).catch((error: unknown) => error);
    await eventually(() => clock.delays.includes(30_000));
    await clock.advance(30_000);
    expect(await answer).toMatchObject({ message: 'No response to GET /api/v1/pods within 30 s' });
  });

  test('an abort ends the request, with its reason', async () => {
    const { server, transport } = await setUp([() => {}]);
    const abort = new AbortController();
    const answer = transport.request({ ...get, signal: abort.signal }).catch((error: unknown) => error);
    await eventually(() => server.exchanges.length === 1);
    abort.abort(new Error('enough'));
    expect(await answer).toMatchObject({ message: 'enough' });
    await expect(transport.request({ ...get, signal: abort.signal })).rejects.toThrow('enough');
  });

  test('closing ends requests in progress', async () => {
    const { server, transport } = await setUp([() => {}]);
    const answer = transport.request(post).catch((error: unknown) => error);
    await eventually(() => server.exchanges.length === 1);
    await transport.close();
    expect(await answer).toMatchObject({ code: 'CONNECTION_FAILED' });
    await expect(transport.request(get)).rejects.toThrow('The client is closed');
  });
});

test('closing ends the wait for a retry', async () => {
  const { clock, transport } = await setUp([refuse(429, 'TooManyRequests', { 'retry-after': '3' })]);
  const answer = transport.request(get).catch((error: unknown) => error);
  await eventually(() => clock.delays.includes(3000));
  await transport.close();
  expect(await answer).toMatchObject({ message: 'The client is closed' });
  expect(clock.delays).toEqual([]);
});

test('any number of requests can share one signal', async () => {
  const { server, transport } = await setUp([() => {}]);
  const warnings: Error[] = [];
  const note = (warning: Error): void => void warnings.push(warning);
  process.on('warning', note);
  const { signal } = new AbortController();
  const answers = Array.from({ length: 20 }, () => transport.request({ ...get, signal }).catch(() => {}));
  await eventually(() => server.exchanges.length === 20);
  await transport.close();
  await Promise.all(answers);
  process.off('warning', note);
  expect(warnings).toEqual([]);
});

describe('requests', () => {
  test('carry the token, keep the path prefix of the server, and are observed', async () => {
    const { server } = await setUp([ok]);
    const observed: Exchange[] = [];
    const transport = new Transport(
      { server: `${server.url}/k8s/clusters/c-1/`, token: 'secret', clock: new VirtualClock() },
      {
        observer: { exchanged: (exchange) => void observed.push(exchange), retried: () => {} },
      },
    );
    cleanUp.push(() => transport.close());
    await transport.request({ ...get, query: { labelSelector: 'a in (b,c)', limit: undefined } });
    const { path, query, headers } = server.exchanges[0]!;
    expect(path).toBe('/k8s/clusters/c-1/api/v1/pods');
    expect([...query]).toEqual([['labelSelector', 'a in (b,c)']]);
    expect(headers).toMatchObject({
      authorization: 'Bearer secret',
      'user-agent': 'ots-runtime',
      accept: 'application/json',
    });
    expect(observed).toEqual([{ method: 'GET', host: new URL(server.url).host, code: '200', seconds: 0 }]);
  });

  test('a token file is read again when what was read is a minute old, and survives a failed read', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'ots-token-'));
    cleanUp.push(() => rm(directory, { recursive: true }));
    const tokenFile = join(directory, 'token');
    await writeFile(tokenFile, 'one\n');
    const { server, clock, transport } = await setUp([ok], { tokenFile, token: 'loses' });
    const sent = async (): Promise<string | undefined> => {
      await transport.request(get);
      return server.exchanges.at(-1)!.headers.authorization;
    };
    expect(await sent()).toBe('Bearer one');
    await writeFile(tokenFile, 'two');
    await clock.advance(59_999);
    expect(await sent()).toBe('Bearer one');
    await clock.advance(1);
    expect(await sent()).toBe('Bearer two');
    await rm(tokenFile);
    await clock.advance(60_000);
    expect(await sent()).toBe('Bearer two');
  });

  test('a token file that never existed is an error', async () => {
    const { transport } = await setUp([ok], { tokenFile: '/no/such/token' });
    await expect(transport.request(get)).rejects.toMatchObject({ code: 'CONNECTION_CONFIG' });
  });

  test('many requests share a few connections, and open watches take none of them', async () => {
    const { server, transport } = await setUp([
      ({ query, response }) => {
        if (query.has('watch')) response.writeHead(200).flushHeaders();
        else json(response, 200, {});
      },
    ]);
    const abort = new AbortController();
    setMaxListeners(0, abort.signal);
    const ports = new Set<number | undefined>();
    for (let watch = 0; watch < 40; watch += 1)
      await transport.stream('/watch', { watch: true }, abort.signal);
    expect(new Set(server.exchanges.map(({ response }) => response.socket)).size).toBe(40);
    server.script = ({ response }) => {
      ports.add(response.socket?.remotePort);
      json(response, 200, {});
    };
    await Promise.all(Array.from({ length: 200 }, () => transport.request(get)));
    expect(ports.size).toBeLessThanOrEqual(32);
    abort.abort();
  });
});

describe('a delay that a server requests', () => {
  test.each<[string, Script, number]>([
    ['a date', refuse(503, 'ServiceUnavailable', { 'retry-after': 'Thu, 01 Jan 2026 00:16:47 GMT' }), 7000],
    [
      'seconds in the Status',
      ({ response }) =>
        json(response, 429, { ...status(429, 'TooManyRequests'), details: { retryAfterSeconds: 2 } }),
      2000,
    ],
    ['at once', refuse(429, 'TooManyRequests', { 'retry-after': '0' }), 50],
  ])('by %s is respected, with jitter on top', async (_, script, wait) => {
    const { clock, transport, retries, server } = await setUp([script, ok], { random: () => 0.5 });
    const answer = transport.request(post);
    const delay = Math.round(wait * 1.125);
    await eventually(() => clock.delays.includes(delay));
    await clock.advance(delay);
    expect(await answer).toEqual({ fine: true });
    expect(retries).toEqual([`POST ${new URL(server.url).host}`]);
  });

  test('warnings of successes and of refusals are passed on', async () => {
    const warnings: string[] = [];
    const onWarning = (text: string): void => void warnings.push(text);
    const { transport } = await setUp(
      [
        ({ response }) => {
          response.setHeader('warning', ['299 - "old"', '299 - "odd"']);
          json(response, 200, {});
        },
        refuse(404, 'NotFound', { warning: '299 - "gone"' }),
      ],
      {},
      { onWarning },
    );
    await transport.request(get);
    await transport.request(get).catch(() => {});
    expect(warnings).toEqual(['old', 'odd', 'gone']);
  });

  test('warnings without a handler go to the process, once', async () => {
    const { transport } = await setUp([
      ({ response }) => json(response, 200, {}, { warning: '299 - "no handler"' }),
    ]);
    const seen: string[] = [];
    const listen = (warning: Error): void => void seen.push(`${warning.name}: ${warning.message}`);
    process.on('warning', listen);
    await transport.request(get);
    await transport.request(get);
    await eventually(() => seen.length > 0);
    process.off('warning', listen);
    expect(seen).toEqual(['KubernetesWarning: no handler']);
  });
});

describe('compressed responses', () => {
  const gzip =
    (body: Buffer, code = 200): Script =>
    ({ response }) =>
      response.writeHead(code, { 'content-encoding': 'gzip' }).end(body);

  test('are requested by reads, and decompressed', async () => {
    const { server, transport } = await setUp([
      gzip(gzipSync(JSON.stringify({ items: ['ä'] }))),
      gzip(gzipSync(JSON.stringify(status(404, 'NotFound', 'nothing here'))), 404),
      ok,
    ]);
    expect(await transport.request(get)).toEqual({ items: ['ä'] });
    await expect(transport.request(get)).rejects.toMatchObject({ status: 404, message: 'nothing here' });
    await transport.request(post);
    expect(server.exchanges.map(({ headers }) => headers['accept-encoding'])).toEqual([
      'gzip',
      'gzip',
      undefined,
    ]);
  });

  test('are not requested if the cluster disables them', async () => {
    const { server, transport } = await setUp([ok], { disableCompression: true });
    await transport.request(get);
    expect(server.exchanges[0]!.headers['accept-encoding']).toBeUndefined();
  });

  test('are an error when they are damaged', async () => {
    const { transport } = await setUp([gzip(Buffer.from('nonsense'))]);
    await expect(transport.request(get)).rejects.toThrow(/^The response to GET .* was cut off: /);
  });
});

describe('the client', () => {
  test('is in the user agent', async () => {
    const { server, transport } = await setUp([ok], {}, { userAgent: 'jobs/1.2' });
    await transport.request(get);
    expect(server.exchanges[0]!.headers['user-agent']).toBe('jobs/1.2 ots-runtime');
    expect(transport.program).toBe('jobs');
    expect(new Transport({ server: server.url }).program).toBeUndefined();
    for (const userAgent of ['', 'a\nb', 'ä/1']) {
      expect(() => new Transport({ server: server.url }, { userAgent })).toThrow('cannot be sent');
    }
  });

  test('has a span without contents', async () => {
    const spans: unknown[] = [];
    const tracer: Tracer = {
      span: (name, attributes, work) => {
        const all = { ...attributes };
        spans.push([name, all]);
        return work({
          isRecording: true,
          setAttributes: (more) => void Object.assign(all, more),
          headers: () => ({ traceparent: 'of the span' }),
        });
      },
    };
    const { server, clock, transport } = await setUp(
      [refuse(429, 'TooManyRequests', { 'retry-after': '1' }), ok],
      {},
      { tracer },
    );
    const answer = transport.request({ ...post, resource: 'pods', body: { data: 'secret' } });
    await eventually(() => clock.delays.includes(1000));
    await clock.advance(1000);
    await answer;
    expect(server.exchanges.map(({ headers }) => headers['traceparent'])).toEqual([
      'of the span',
      'of the span',
    ]);
    expect(spans).toEqual([
      [
        'POST pods',
        {
          'http.request.method': 'POST',
          'server.address': new URL(server.url).host,
          'k8s.resource': 'pods',
          'http.request.resend_count': 1,
          'http.response.status_code': 200,
        },
      ],
    ]);
  });
});

describe('time', () => {
  test('is what the request or the transport says', async () => {
    const { server, clock, transport } = await setUp([() => {}], {}, { requestTimeout: 5000 });
    const first = transport.request(get).catch((error: unknown) => error);
    await eventually(() => server.exchanges.length === 1);
    await clock.advance(5000);
    expect(isTimeout(await first)).toBe(true);
    const second = transport.request({ ...post, timeout: 100 }).catch((error: unknown) => error);
    await eventually(() => server.exchanges.length === 2);
    await clock.advance(100);
    expect(await second).toMatchObject({
      code: 'REQUEST_TIMEOUT',
      message: 'No response to POST /api/v1/pods within 0.1 s',
    });
  });

  test('a stream ends with its signal, and leaves nothing on it', async () => {
    const { server, clock, transport } = await setUp([
      ({ response }) => response.writeHead(200).write('{}\n'),
    ]);
    const abort = new AbortController();
    const stream = await transport.stream('/watch', { watch: true }, abort.signal);
    expect(getEventListeners(abort.signal, 'abort')).toHaveLength(1);
    expect(clock.delays).toEqual([]);
    const reading = (async () => {
      for await (const chunk of stream) if (chunk.length === 3) abort.abort(new Error('enough'));
    })().catch((error: unknown) => error);
    expect(await reading).toMatchObject({ message: 'enough' });
    await eventually(() => getEventListeners(abort.signal, 'abort').length === 0);
    expect(server.exchanges[0]!.headers.accept).toBe('application/json');
  });

  test('a stream that does not begin is aborted', async () => {
    const { server, clock, transport, observed } = await setUp([() => {}]);
    const abort = new AbortController();
    const opening = transport.stream('/watch', {}, abort.signal).catch((error: unknown) => error);
    await eventually(() => server.exchanges.length === 1);
    await clock.advance(30_000);
    expect(isTimeout(await opening)).toBe(true);
    await eventually(() => observed.length === 1);
    expect(observed).toMatchObject([{ code: '<error>', seconds: 30 }]);
    expect(getEventListeners(abort.signal, 'abort')).toEqual([]);
  });

  test('a stream that is refused says why', async () => {
    const { transport } = await setUp([refuse(410, 'Expired')]);
    const { signal } = new AbortController();
    await expect(transport.stream('/watch', {}, signal)).rejects.toMatchObject({ status: 410 });
    await transport.close();
    await expect(transport.stream('/watch', {}, signal)).rejects.toThrow('The client is closed');
  });

  test('nothing is left after closing', async () => {
    await expectNothingOpen();
    const server = await ScriptedServer.start(({ query, response }) => {
      if (query.has('watch')) response.writeHead(200).flushHeaders();
      else json(response, 200, {});
    });
    const transport = new Transport({ server: server.url });
    await Promise.all([transport.request(get), transport.request(get)]);
    const watch = await transport.stream('/watch', { watch: true }, new AbortController().signal);
    const ended = (async () => {
      for await (const chunk of watch) void chunk;
    })().catch(() => {});
    await transport.close();
    await ended;
    await server[Symbol.asyncDispose]();
    await expectNothingOpen();
    expect(watch).toMatchObject({ destroyed: true });
  });

  test('closing ends a handshake to which the server never responds', async () => {
    await expectNothingOpen();
    const server = createServer();
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const accepted = once(server, 'connection') as Promise<[Socket]>;
    const transport = new Transport({
      server: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    });
    const answer = transport.request(get).catch((error: unknown) => error);
    const [socket] = await accepted;
    const ended = once(
      socket.resume().on('error', () => {}),
      'close',
    );
    await transport.close();
    await ended;
    expect(await answer).toMatchObject({ code: 'CONNECTION_FAILED' });
    server.close();
    await expectNothingOpen();
  });
});
