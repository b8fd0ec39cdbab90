import { request } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '../../test/eventually.ts';
import { VirtualClock } from '../../test/virtual-clock.ts';
import { createLogger } from '../logging/create-logger.ts';
import { HealthChecks } from './health-checks.ts';
import { HealthServer } from './health-server.ts';

let clock: VirtualClock;
let lines: string[];
let healthz: HealthChecks;
let readyz: HealthChecks;
let server: HealthServer;

beforeEach(async () => {
  clock = new VirtualClock();
  lines = [];
  const logger = createLogger({ level: 'debug', stream: { write: (line) => lines.push(line) } });
  healthz = new HealthChecks('healthz', { clock, logger });
  healthz.add('ping', () => {});
  readyz = new HealthChecks('readyz', { clock, logger });
  server = new HealthServer({ port: 0, host: '127.0.0.1' }, { healthz, readyz });
  await server.open();
});

afterEach(() => server.closeNow());

async function get(path: string, method = 'GET'): Promise<{ code: number; text: string }> {
  const response = await fetch(`http://127.0.0.1:${server.port}${path}`, { method });
  return { code: response.status, text: await response.text() };
}

test('an endpoint without checks succeeds', async () => {
  expect(await get('/readyz')).toEqual({ code: 200, text: 'ok\n' });
  expect(await get('/healthz')).toEqual({ code: 200, text: 'ok\n' });
  expect(await get('/healthz/')).toEqual({ code: 200, text: 'ok\n' });
});

describe('with checks', () => {
  let bad: string | undefined;

  beforeEach(() => {
    bad = 'the database\nis down';
    readyz.add('good', () => undefined);
    readyz.add('bad', () => Promise.resolve(bad));
    readyz.add('secret', () => {
      if (bad) throw new Error('password hunter2 is wrong');
    });
  });

  test('one failing check fails the endpoint, with every result; a thrown error goes to the log', async () => {
    expect(await get('/readyz')).toEqual({
      code: 500,
      text: `[-]bad failed: the database is down
[+]good ok
[-]secret failed: reason withheld
readyz check failed
`,
    });
    expect(await get('/readyz/secret')).toEqual({
      code: 500,
      text: '[-]secret failed: reason withheld\nreadyz check failed\n',
    });
    expect(lines.join()).toContain('hunter2');
    expect((await get('/healthz')).code).toBe(200);
  });

  test('each has its own path', async () => {
    expect(await get('/readyz/good')).toEqual({ code: 200, text: 'ok\n' });
    expect((await get('/readyz/bad')).code).toBe(500);
    expect(await get('/readyz/ping')).toEqual({ code: 404, text: 'no check is named ping\n' });
  });

  test('they can be excluded; an unknown name is reported', async () => {
    expect(await get('/readyz?exclude=bad&exclude=secret')).toEqual({ code: 200, text: 'ok\n' });
    expect(await get('/readyz?verbose&exclude=bad&exclude=secret&exclude=typo')).toEqual({
      code: 200,
      text: `[+]bad excluded: ok
[+]good ok
[+]secret excluded: ok
warn: some health checks cannot be excluded: no matches for "typo"
readyz check passed
`,
    });
  });

  test('changes are logged once', async () => {
    const said = (): string[] =>
      lines
        .map((line) => JSON.parse(line) as { level: string; msg: string })
        .filter(({ level }) => level === 'info')
        .map(({ msg }) => msg);
    await get('/readyz');
    await get('/readyz');
    expect(said()).toEqual(['health checks fail']);
    bad = undefined;
    await get('/readyz');
    await get('/readyz');
    expect(said()).toEqual(['health checks fail', 'all health checks pass']);
  });
});

test('one with a result that is not a string, as in an untyped program, fails and does no harm', async () => {
  readyz.add('typeless', () => true as unknown as string);
  expect(await get('/readyz')).toEqual({
    code: 500,
    text: '[-]typeless failed: true\nreadyz check failed\n',
  });
});

test('one that takes longer than 5 s fails', async () => {
  readyz.add('hangs', () => new Promise(() => {}));
  const answer = get('/readyz');
  await eventually(() => clock.delays.includes(5000));
  await clock.advance(5000);
  expect((await answer).text).toContain('[-]hangs failed: reason withheld');
  expect(clock.delays).toEqual([]);
});

test('a caller that hangs up stops the check', async () => {
  let signal: AbortSignal | undefined;
  readyz.add('hangs', (given) => {
    signal = given;
    return new Promise(() => {});
  });
  const abort = new AbortController();
  const answer = fetch(`http://127.0.0.1:${server.port}/readyz`, { signal: abort.signal }).catch(
    () => 'hung up',
  );
  await eventually(() => signal !== undefined);
  abort.abort();
  expect(await answer).toBe('hung up');
  await eventually(() => signal?.aborted === true);
  expect(clock.delays).toEqual([]);
});

test('other paths and methods are refused', async () => {
  expect((await get('/')).code).toBe(404);
  expect((await get('/readyz/a/b')).code).toBe(404);
  expect((await get('/healthz', 'POST')).code).toBe(405);
  expect(await get('/healthz', 'HEAD')).toEqual({ code: 200, text: '' });
});

test.each(['//', '///healthz', '/%', '/healthz?%', 'http://'])(
  '%s as a target harms nothing',
  async (path) => {
    const { port } = server;
    const answer = await new Promise((resolve, reject) => {
      request({ port, host: '127.0.0.1', path }, (response) => resolve(response.resume().statusCode))
        .on('error', reject)
        .end();
    });
    expect([200, 404]).toContain(answer);
    expect((await get('/healthz')).code).toBe(200);
  },
);

test('names must be unique, and fit into a path', () => {
  expect(() => healthz.add('ping', () => {})).toThrow('Two checks of healthz are named ping');
  expect(() => healthz.add('a/b', () => {})).toThrow('cannot be the name of a health check');
});
