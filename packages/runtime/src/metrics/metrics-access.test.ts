import { describe, expect, test } from 'vitest';
import { VirtualClock, settled } from '../../test/virtual-clock.ts';
import { ApiError } from '../errors/api-error.ts';
import { createLogger } from '../logging/create-logger.ts';
import { ConnectionError } from '../errors/connection-error.ts';
import { MetricsAccess } from './metrics-access.ts';

interface Asked {
  kind: string;
  spec: { token?: string; user?: string; nonResourceAttributes?: { path: string; verb: string } };
}

/** An API server that knows the tokens `good` and `other` and allows scrapers to get `/metrics`. */
function setUp() {
  const clock = new VirtualClock();
  const asked: Asked[] = [];
  const failures: unknown[] = [];
  const lines: string[] = [];
  const state = { gate: Promise.resolve(), allowed: true };
  const create = async ({ kind }: { kind: string }, { spec }: Asked, { signal }: { signal: AbortSignal }) => {
    asked.push({ kind, spec });
    await new Promise<void>((resolve, reject) => {
      const abort = (): void => reject(signal.reason as Error);
      signal.addEventListener('abort', abort, { once: true });
      void state.gate.then(resolve);
    });
    const failure = failures.shift();
    if (failure !== undefined) throw failure;
    if (kind === 'SubjectAccessReview') return { status: { allowed: state.allowed } };
    const known = spec.token === 'good-token' || spec.token === 'other-token';
    return { status: known ? { authenticated: true, user: { username: 'scraper' } } : {} };
  };
  const access = new MetricsAccess({
    client: { create } as never,
    clock,
    logger: createLogger({ level: 'trace', stream: { write: (line: string) => lines.push(line) } }),
  });
  return {
    clock,
    asked,
    failures,
    lines,
    state,
    check: (token: string, path = '/metrics', method = 'GET', address = '10.0.0.1') =>
      access.check({ authorization: `Bearer ${token}`, address }, method, path),
    kinds: () => asked.map(({ kind }) => kind),
  };
}

const refused = (status: number, retryAfter?: number): ApiError =>
  new ApiError({ code: status, reason: 'Refused', message: 'refused' }, retryAfter);

describe('the cache of reviews', () => {
  test('keeps identities for one minute, permissions for five, and denials for half a minute', async () => {
    const { check, kinds, clock, asked, state } = setUp();
    expect(await check('good-token')).toBeUndefined();
    await clock.advance(59_000);
    expect(await check('good-token')).toBeUndefined();
    expect(kinds()).toEqual(['TokenReview', 'SubjectAccessReview']);
    await clock.advance(1000);
    await check('good-token');
    expect(kinds()).toEqual(['TokenReview', 'SubjectAccessReview', 'TokenReview']);
    state.allowed = false;
    await clock.advance(240_000);
    expect(await check('good-token')).toEqual({ code: 403, message: 'scraper may not get /metrics' });
    asked.length = 0;
    state.allowed = true;
    await clock.advance(29_000);
    expect((await check('good-token'))?.code).toBe(403);
    await clock.advance(1000);
    expect(await check('good-token')).toBeUndefined();
  });

  test('distinguishes verbs and paths', async () => {
    const { check, asked } = setUp();
    await check('good-token');
    await check('good-token', '/metrics', 'HEAD');
    await check('good-token', '/debug');
    expect(asked.flatMap(({ spec }) => spec.nonResourceAttributes ?? [])).toEqual([
      { path: '/metrics', verb: 'get' },
      { path: '/metrics', verb: 'head' },
      { path: '/debug', verb: 'get' },
    ]);
  });

  test('shares one review between concurrent callers', async () => {
    const { check, kinds, state } = setUp();
    let open!: () => void;
    state.gate = new Promise((resolve) => (open = resolve));
    const answers = Promise.all(Array.from({ length: 50 }, () => check('good-token')));
    await settled();
    open();
    expect(new Set(await answers)).toEqual(new Set([undefined]));
    expect(kinds()).toEqual(['TokenReview', 'SubjectAccessReview']);
  });

  test('keeps no more than 1,000 tokens', async () => {
    const { check, asked } = setUp();
    await check('good-token');
    for (let n = 0; n < 1000; n += 1)
      expect((await check(`guess-${n}`, '/metrics', 'GET', `10.0.1.${n}`))?.code).toBe(401);
    asked.length = 0;
    await check('good-token');
    expect(asked.map(({ spec }) => spec.token)).toEqual(['good-token']);
  });
});

describe('a flood of unknown tokens', () => {
  const flood = async (check: ReturnType<typeof setUp>['check'], round: number): Promise<unknown[]> => {
    const answers = Array.from({ length: 50 }, (_, n) => check(`guess-${round}-${n}`));
    return (await Promise.all(answers)).map((refusal) => refusal?.code);
  };

  test('asks the API server ten times, then once a second, and is logged once a minute', async () => {
    const { check, asked, clock, lines } = setUp();
    const codes = await flood(check, 0);
    expect([
      codes.filter((code) => code === 401).length,
      codes.filter((code) => code === 429).length,
    ]).toEqual([10, 40]);
    for (let second = 1; second <= 60; second += 1) {
      await clock.advance(1000);
      await flood(check, second);
      expect(asked).toHaveLength(10 + second);
    }
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      expect.objectContaining({ level: 'warn', address: '10.0.0.1' }),
      expect.objectContaining({ level: 'warn', address: '10.0.0.1' }),
    ]);
    expect(lines.join('')).not.toContain('guess');
  });

  test('throttles neither known callers nor other addresses', async () => {
    const { check } = setUp();
    await check('good-token');
    await flood(check, 0);
    expect(await check('good-token')).toBeUndefined();
    expect((await check('other-token'))?.code).toBe(429);
    expect(await check('other-token', '/metrics', 'GET', '10.0.0.2')).toBeUndefined();
  });
});

describe('a failing API server', () => {
  test('is called five times in all', async () => {
    const { check, asked, failures, clock } = setUp();
    failures.push(refused(500), new ConnectionError('connection reset', ''), refused(429), refused(503, 100));
    const answer = check('good-token');
    await settled();
    for (const [delay, times] of [
      [600, 2],
      [900, 3],
      [1350, 4],
    ] as const) {
      await clock.advance(delay);
      expect(asked).toHaveLength(times);
    }
    await clock.advance(2025);
    expect(await answer).toBeUndefined();
    expect(clock.delays).toEqual([]);
  });

  test('lets no caller in, is called again for the next one, and the log does not contain the token', async () => {
    const { check, failures, clock, lines, asked } = setUp();
    failures.push(...Array.from({ length: 5 }, () => refused(500)));
    const answer = check('good-token');
    await settled();
    await clock.advance(9000);
    expect(await answer).toEqual({ code: 500, message: 'cannot check access' });
    expect(asked).toHaveLength(5);
    expect(lines.join('')).toContain('cannot check access');
    expect(lines.join('')).not.toContain('good-token');
    expect(await check('good-token')).toBeUndefined();
  });

  test('is not called again after a refusal', async () => {
    const { check, failures, asked } = setUp();
    failures.push(refused(403));
    expect((await check('good-token'))?.code).toBe(500);
    expect(asked).toHaveLength(1);
  });

  test('has 10 s to respond', async () => {
    const { check, state, clock } = setUp();
    state.gate = new Promise(() => {});
    const answer = check('good-token');
    await settled();
    await clock.advance(10_000);
    expect((await answer)?.code).toBe(500);
    expect(clock.delays).toEqual([]);
  });
});

test('a header without a bearer token causes no review', async () => {
  const { asked } = setUp();
  const access = new MetricsAccess({
    client: undefined as never,
    clock: new VirtualClock(),
    logger: createLogger(),
  });
  for (const authorization of [undefined, '', 'Basic dTpw', 'Bearer', 'Bearer a b', 'good-token']) {
    expect((await access.check({ authorization, address: undefined }, 'GET', '/metrics'))?.code).toBe(401);
  }
  expect(asked).toEqual([]);
});
