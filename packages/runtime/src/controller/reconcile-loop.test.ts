import { describe, expect, test } from 'vitest';
import { sleep } from 'ots-apimachinery/clock/sleep';
import { controllerFixture, gate } from '../../test/controller-fixture.ts';
import { eventually } from '../../test/eventually.ts';
import { settled } from '../../test/virtual-clock.ts';
import { Thing } from '../../test/thing.ts';
import { CacheSyncError, NamespaceNotCachedError } from '../cache/cache-errors.ts';
import { ApiError } from '../errors/api-error.ts';
import { currentWork } from '../context/work-context.ts';
import { itemFastSlowRateLimiter } from '../queue/item-fast-slow-rate-limiter.ts';
import type { Tracer } from '../tracing/tracer.ts';
import { Reachability } from '../transport/reachability.ts';
import { unreachable } from '../transport/request-failures.ts';
import { ReconcileTimeoutError } from './reconcile-loop.ts';
import type { Request, Result } from './reconciler.ts';
import { TerminalError } from './classify-error.ts';

const a: Request = { name: 'a', namespace: 'default' };

const codes: Record<string, number> = { Conflict: 409, Forbidden: 403 };
const refusal = (reason: string, details = {}): ApiError =>
  new ApiError({ code: codes[reason] ?? 404, reason, message: `it is ${reason}`, details });

test.each([1, 2])('reconciles that request others leave time to the process: %i workers', async (workers) => {
  let hasTurned = false;
  let reconciles = 0;
  const { controller, start } = controllerFixture(
    async () => {
      reconciles += 1;
      // Until the other workers wait.
      for (let tick = 0; tick < 50; tick += 1) await Promise.resolve();
      if (!hasTurned && reconciles < 10_000) controller.enqueue({ ...a, name: `after-${reconciles}` });
    },
    { maxConcurrentReconciles: workers },
  );
  start();
  controller.enqueue(a);
  await eventually(() => reconciles > 0);
  setImmediate(() => (hasTurned = true));
  await eventually(() => hasTurned);
  expect(reconciles).toBeLessThan(10_000);
});

describe('results', () => {
  test.each([
    [undefined, 'success', []],
    [null, 'success', []],
    [{}, 'success', []],
    [{ requeueAfter: 0 }, 'success', []],
    [{ requeueAfter: '0s' }, 'success', []],
    [{ requeueAfter: undefined, priority: 3 }, 'success', []],
    [{ requeueAfter: 1500 }, 'requeue_after', [1500]],
    [{ requeueAfter: '30s' }, 'requeue_after', [30_000]],
  ])('%j is %s, and is reconciled again after %j', async (result, outcome, expected) => {
    const { controller, delays, start, observed } = controllerFixture(async () => result as Result);
    start();
    controller.enqueue(a);
    await eventually(() => observed.length === 2);
    expect(observed).toEqual(['started', `${outcome} in 0 s`]);
    expect(delays()).toEqual(expected);
  });

  test.each([
    ['a negative time', { requeueAfter: -1 }],
    ['no number', { requeueAfter: NaN }],
    ['an endless time', { requeueAfter: Infinity }],
    ['garbage', { requeueAfter: 'soon' }],
    ['an object for a time', { requeueAfter: {} }],
    ['a priority that is none', { requeueAfter: 5, priority: NaN }],
    ['a boolean', true],
    ['text', '30s'],
    ['a list', [{ requeueAfter: 5 }]],
  ])('%s is an error of that reconcile: %j', async (_, result) => {
    const { controller, delays, logged, start, observed } = controllerFixture(async () => result as Result);
    start();
    controller.enqueue(a);
    await eventually(() => observed.length === 3);
    expect(observed).toEqual(['started', 'failed: error', 'error in 0 s']);
    expect(delays()).toEqual([5]);
    expect(logged('error')[0]).toMatchObject({ err: { code: 'USAGE' } });
  });

  test('requeueAfter resets the delays of failures', async () => {
    const results: (() => Result)[] = [
      () => {
        throw new Error('one');
      },
      () => ({ requeueAfter: 1000 }),
      () => {
        throw new Error('two');
      },
    ];
    const { clock, controller, delays, start } = controllerFixture(async () => results.shift()!());
    start();
    controller.enqueue(a);
    for (const delay of [5, 1000, 5]) {
      await eventually(() => delays().length === 1);
      expect(delays()).toEqual([delay]);
      if (results.length > 0) await clock.advance(delay);
    }
  });

  test('an event that comes before requeueAfter absorbs it', async () => {
    let runs = 0;
    const { clock, controller, delays, start } = controllerFixture(async () => {
      runs += 1;
      return runs === 1 ? { requeueAfter: 1000 } : undefined;
    });
    start();
    controller.enqueue(a);
    await eventually(() => delays().length === 1);
    controller.enqueue(a);
    await eventually(() => runs === 2);
    await clock.advance(1000);
    expect(runs).toBe(2);
  });
});

describe('priorities of further reconciles', () => {
  /** The order in which a request that is queued again and others with priorities run. */
  async function order(again: () => Result): Promise<string[]> {
    const seen: string[] = [];
    const { clock, controller, delays, start } = controllerFixture(async ({ name }) => {
      seen.push(name);
      return seen.length === 1 ? again() : undefined;
    });
    start();
    controller.enqueue(a, { priority: 7 });
    await eventually(() => delays().length === 1);
    const [delay] = delays();
    for (const priority of [8, 6, 2])
      controller.enqueue({ name: String(priority) }, { priority, after: delay! });
    await clock.advance(delay!);
    await eventually(() => seen.length === 5);
    return seen.slice(1);
  }
  const fail = (): Result => {
    throw new Error('no');
  };

  test.each([
    ['an error', fail],
    ['requeueAfter', () => ({ requeueAfter: 5 })],
  ])('%s keeps the priority', async (_, again) => {
    expect(await order(again)).toEqual(['8', 'a', '6', '2']);
  });

  test('the result can name another', async () => {
    expect(await order(() => ({ requeueAfter: 5, priority: 3 }))).toEqual(['8', '6', 'a', '2']);
    expect(await order(() => ({ requeueAfter: 5, priority: 0 }))).toEqual(['8', '6', '2', 'a']);
  });
});

describe('failures', () => {
  test.each([
    ['rejects', () => Promise.reject(new Error('no'))],
    [
      'throws before it awaits anything',
      () => {
        throw new Error('no');
      },
    ],
    ['rejects with something that is not an error', () => Promise.reject('no')],
    ['rejects with nothing', () => Promise.reject()],
  ])('a reconcile that %s is retried with growing delays', async (_, reconcile) => {
    let runs = 0;
    const { clock, controller, delays, start } = controllerFixture(() => {
      runs += 1;
      return reconcile();
    });
    start();
    controller.enqueue(a);
    for (const delay of [5, 10, 20, 40]) {
      await eventually(() => delays().length === 1);
      expect(delays()).toEqual([delay]);
      await clock.advance(delay);
    }
    await eventually(() => runs === 5);
  });

  test('a reconcile knows the earlier attempts, until one succeeds or fails for good', async () => {
    const observed: { attempt: number; lastError?: unknown }[] = [];
    const ends = [
      new Error('one'),
      new Error('two'),
      undefined,
      new Error('three'),
      new TerminalError('four'),
    ];
    const { clock, controller, delays, start } = controllerFixture(async (_, context) => {
      const { attempt } = context;
      observed.push('lastError' in context ? { attempt, lastError: context.lastError } : { attempt });
      const end = ends[observed.length - 1];
      if (end) throw end;
    });
    start();
    const run = async (number: number): Promise<void> => {
      if (delays().length === 0) controller.enqueue(a);
      else await clock.advance(delays()[0]!);
      await eventually(() => observed.length === number);
      await settled();
    };
    for (const number of [1, 2, 3, 4, 5, 6]) await run(number);
    expect(observed).toEqual([
      { attempt: 1 },
      { attempt: 2, lastError: ends[0] },
      { attempt: 3, lastError: ends[1] },
      { attempt: 1 },
      { attempt: 2, lastError: ends[3] },
      { attempt: 1 },
    ]);
  });

  test('a terminal error is not retried, but the next change triggers a reconcile', async () => {
    let runs = 0;
    const { controller, delays, logged, start, observed } = controllerFixture(async () => {
      runs += 1;
      throw new Error('wrapped', { cause: new TerminalError('the size can never be negative') });
    });
    start();
    controller.enqueue(a);
    await eventually(() => observed.length === 3);
    expect(observed).toEqual(['started', 'failed: terminal', 'error in 0 s']);
    expect(logged('error')[0]!['msg']).toContain('with a terminal error');
    expect(delays()).toEqual([]);
    controller.enqueue(a);
    await eventually(() => runs === 2);
  });

  test('only a success resets the delays: a terminal error does not', async () => {
    const errors = [new Error('one'), new TerminalError('two'), new Error('three')];
    const { clock, controller, delays, start, observed } = controllerFixture(async () => {
      throw errors.shift();
    });
    start();
    controller.enqueue(a);
    await eventually(() => delays().length === 1);
    await clock.advance(5);
    await eventually(() => observed.filter((line) => line.startsWith('error')).length === 2);
    controller.enqueue(a);
    await eventually(() => delays().length === 1);
    expect(delays()).toEqual([10]);
  });

  test('a failure of one object does not delay another', async () => {
    const seen: string[] = [];
    const { controller, start } = controllerFixture(async ({ name }) => {
      seen.push(name);
      if (name === 'a') throw new Error('no');
    });
    start();
    controller.enqueue(a);
    controller.enqueue({ name: 'b' });
    await eventually(() => seen.includes('b'));
    expect(seen).toEqual(['a', 'b']);
  });

  test('a failure is logged with the object, the reconcile and the attempt', async () => {
    const ids: string[] = [];
    const { controller, logged, start } = controllerFixture(async (_, { reconcileId }) => {
      ids.push(reconcileId);
      throw new Error('broken');
    });
    start();
    controller.enqueue(a);
    await eventually(() => logged('error').length === 1);
    expect(logged('error')[0]).toMatchObject({
      ...a,
      controller: 'test',
      attempt: 1,
      reconcileId: ids[0],
      err: { message: 'broken' },
    });
  });

  test('the rate limiter can be chosen', async () => {
    const rateLimiter = itemFastSlowRateLimiter({ fast: 7, slow: 99, attempts: 1 });
    const { clock, controller, delays, start } = controllerFixture(() => Promise.reject(new Error('no')), {
      rateLimiter,
    });
    start();
    controller.enqueue(a);
    await eventually(() => delays().length === 1);
    expect(delays()).toEqual([7]);
    await clock.advance(7);
    await eventually(() => delays().length === 1);
    expect(delays()).toEqual([99]);
  });

  test.each<[string, () => number]>([
    [
      'throws',
      () => {
        throw new Error('a bug');
      },
    ],
    ['returns no number', () => Number.NaN],
    ['returns a negative number', () => -1],
  ])('a rate limiter that %s loses no request, and causes no hot loop', async (_, when) => {
    const rateLimiter = {
      when,
      forget: () => {},
      failures: () => 0,
    };
    const { controller, delays, start } = controllerFixture(() => Promise.reject(new Error('no')), {
      rateLimiter,
    });
    start();
    controller.enqueue(a);
    await eventually(() => delays().length === 1);
    expect(delays()).toEqual([1_000_000]);
  });
});

describe('conflicts', () => {
  test.each([
    ['a conflict', refusal('Conflict')],
    ['a conflict that caused another error', new Error('cannot write', { cause: refusal('Conflict') })],
    ['an object that is gone when it is written', refusal('NotFound', { name: 'a', kind: 'things' })],
  ])('%s is retried, and is not a failure', async (_, error) => {
    const { controller, delays, logged, start, observed } = controllerFixture(() => Promise.reject(error));
    start();
    controller.enqueue(a);
    await eventually(() => observed.length === 3);
    expect(observed).toEqual(['started', 'failed: conflict', 'requeue in 0 s']);
    expect(delays()).toEqual([5]);
    expect([logged('error').length, logged('info').length, logged('debug').length]).toEqual([0, 0, 3]);
    expect(logged('debug')[1]!.msg).toMatch(/retrying$/);
  });

  test.each([
    ['a kind that is not installed', refusal('NotFound')],
    [
      'a field that another manager owns, which no retry changes,',
      refusal('Conflict', { causes: [{ reason: 'FieldManagerConflict' }] }),
    ],
    ['a namespace that does not exist', refusal('NotFound', { name: 'x', kind: 'namespaces' })],
    ['a terminal error that a conflict caused', new TerminalError('no', { cause: refusal('Conflict') })],
  ])('%s is a failure', async (_, error) => {
    const { controller, start, observed } = controllerFixture(() => Promise.reject(error));
    start();
    controller.enqueue(a);
    await eventually(() => observed.length === 3);
    expect(observed.at(-1)).toBe('error in 0 s');
  });

  describe('with news to come', () => {
    /** A reconcile whose writes are refused, with what each of them waits for. */
    function overtaken(...writes: ('comes' | 'is there')[]) {
      const listeners: (() => void)[] = [];
      let disposed = 0;
      const fixture = controllerFixture(() => {
        for (const news of writes) {
          currentWork()!.overtaken!((listener) => {
            if (news === 'is there') return undefined;
            listeners.push(listener);
            return { [Symbol.dispose]: () => (disposed += 1) };
          });
        }
        return Promise.reject(refusal('Conflict'));
      });
      const starts = () => fixture.observed.filter((each) => each === 'started').length;
      return { ...fixture, listeners, starts, disposed: () => disposed };
    }

    test('it runs again when they come, at once', async () => {
      const { controller, delays, start, listeners, starts } = overtaken('comes', 'is there', 'comes');
      start();
      controller.enqueue(a);
      await eventually(() => delays().length === 1);
      expect(delays()).toEqual([5000]);
      listeners[0]!();
      await settled();
      expect(starts()).toBe(1);
      listeners[1]!();
      await eventually(() => starts() === 2);
    });

    test('it runs again after five seconds if they do not come, each time', async () => {
      const { clock, controller, delays, start, starts, disposed } = overtaken('comes');
      start();
      controller.enqueue(a);
      for (let runs = 1; runs <= 8; runs += 1) {
        await eventually(() => starts() === runs && delays().length === 1);
        expect(delays()).toEqual([5000]);
        await clock.advance(5000);
      }
      await eventually(() => starts() === 9 && delays().length === 1);
      expect(disposed()).toBe(starts() - 1);
    });

    test('a stop waits for none', async () => {
      const { controller, delays, start, disposed } = overtaken('comes');
      const { stop } = start();
      controller.enqueue(a);
      await eventually(() => delays().length === 1);
      await stop();
      expect(disposed()).toBe(1);
    });
  });

  test('without news to come, delays grow to five seconds', async () => {
    const { clock, controller, delays, start } = controllerFixture(() => Promise.reject(refusal('Conflict')));
    start();
    controller.enqueue(a);
    const seen: number[] = [];
    for (let attempt = 1; attempt <= 14; attempt += 1) {
      await eventually(() => delays().length === 1);
      seen.push(delays()[0]!);
      await clock.advance(delays()[0]!);
    }
    expect([seen[0], seen[1], seen.at(-1)]).toEqual([5, 10, 5000]);
  });

  test('one that does not end is logged, and finally counts as a failure', async () => {
    const { clock, controller, delays, logged, start, observed } = controllerFixture(() =>
      Promise.reject(refusal('Conflict')),
    );
    start();
    controller.enqueue(a);
    for (let attempt = 1; attempt < 11; attempt += 1) {
      await eventually(() => delays().length === 1);
      await clock.advance(delays()[0]!);
    }
    await eventually(() => logged('error').length > 0);
    expect(logged('debug').filter(({ msg }) => String(msg).endsWith('retrying'))).toHaveLength(3);
    expect(logged('info').map(({ attempt }) => attempt)).toEqual([4, 5, 6, 7, 8, 9, 10]);
    expect(logged('error')).toMatchObject([{ attempt: 11, err: { message: 'it is Conflict' } }]);
    expect(observed.slice(-3)).toEqual(['started', 'failed: error', expect.stringMatching('^error in')]);
  });
});

describe('logging', () => {
  test('the stack of a repeated failure is logged once, and that of another failure again', async () => {
    const errors = [new TypeError('x'), new TypeError('x'), new TypeError('y'), refusal('Forbidden')];
    const { clock, controller, delays, logged, start } = controllerFixture(() =>
      Promise.reject(errors.shift()!),
    );
    start();
    controller.enqueue(a);
    for (let attempt = 1; attempt < 4; attempt += 1) {
      await eventually(() => delays().length === 1);
      await clock.advance(delays()[0]!);
    }
    await eventually(() => logged('error').length === 4);
    const said = logged('error').map(({ err }) => err as { message: string; stack?: string });
    expect(said.map(({ message, stack }) => [message, stack !== undefined])).toEqual([
      ['x', true],
      ['x', false],
      ['y', true],
      ['it is Forbidden', false],
    ]);
  });

  test('level debug logs the start and the end of each reconcile, and when the next one is due', async () => {
    const results = [{ requeueAfter: '2s' as const }, undefined, new Error('no')];
    const { clock, controller, delays, logged, start } = controllerFixture(async () => {
      currentWork()?.requested?.({ method: 'GET', path: '/version' });
      const result = results.shift();
      if (result instanceof Error) throw result;
      await sleep(clock, 250);
      return result;
    });
    const ended = (): unknown[] =>
      logged('debug')
        .filter(({ msg }) => msg === 'reconcile ended')
        .map(({ result, milliseconds, requests, requeueAfter }) => [
          result,
          milliseconds,
          requests,
          requeueAfter,
        ]);
    start();
    controller.enqueue(a);
    for (let run = 1; run <= 2; run += 1) {
      await eventually(() => logged('debug').filter(({ msg }) => msg === 'reconcile started').length === run);
      await clock.advance(250);
      await eventually(() => ended().length === run);
      if (run === 1) await clock.advance(delays()[0]!);
    }
    controller.enqueue(a);
    await eventually(() => ended().length === 3);
    expect(ended()).toEqual([
      ['requeue_after', 250, 1, 2000],
      ['success', 250, 1, undefined],
      ['error', 0, 1, 5],
    ]);
  });

  test('the level can change at run time, and above debug a successful reconcile logs nothing', async () => {
    const { controller, lines, logger, start, observed } = controllerFixture(async () => {});
    logger.level = 'info';
    start();
    controller.enqueue(a);
    await eventually(() => observed.length === 2);
    expect(lines).toEqual([]);
    logger.level = 'debug';
    controller.enqueue(a);
    await eventually(() => observed.length === 4);
    expect(lines).toHaveLength(2);
  });

  test('during an outage that has been logged, failures are logged at debug', async () => {
    const error = unreachable('https://a', new Error('refused'));
    const { clock, controller, logged, logger, start, observed } = controllerFixture(() =>
      Promise.reject(error),
    );
    const reachability = new Reachability({ server: 'https://a', clock, logger });
    reachability.responded();
    reachability.failed(error);
    start();
    controller.enqueue(a);
    await eventually(() => observed.length === 3);
    expect(observed).toContain('failed: error');
    expect([logged('error').length, logged('warn').length]).toEqual([0, 1]);
  });
});

describe('timeouts', () => {
  test('abort the signal with a reason; the object waits until the reconcile has settled', async () => {
    const { open, reconcile } = gate();
    const { clock, controller, start, observed } = controllerFixture(reconcile, {
      reconcileTimeout: '2s',
      maxConcurrentReconciles: 2,
    });
    start();
    controller.enqueue(a);
    await eventually(() => open.length === 1);
    const { signal } = open[0]!.context;
    await clock.advance(1999);
    expect(signal.aborted).toBe(false);
    await clock.advance(1);
    expect(signal.reason).toBeInstanceOf(ReconcileTimeoutError);
    controller.enqueue(a);
    await settled();
    expect(open).toHaveLength(1);
    open[0]!.finish();
    await eventually(() => open.length === 1 && observed.length === 4);
    expect(observed).toEqual(['started', 'failed: timeout', 'success in 2 s', 'started']);
    open[0]!.finish();
  });

  test('an interrupted reconcile has failed, and is retried', async () => {
    const { clock, controller, delays, start, observed } = controllerFixture(
      (_, { signal }) =>
        new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
      { reconcileTimeout: 1000 },
    );
    start();
    controller.enqueue(a);
    await settled();
    await clock.advance(1000);
    await eventually(() => observed.length === 4);
    expect(observed).toEqual(['started', 'failed: timeout', 'failed: error', 'error in 1 s']);
    expect(delays()).toEqual([5]);
  });

  test('only the controller’s own timeout counts: not a stop, and not a timeout that the reconcile sets itself', async () => {
    const { open, reconcile } = gate();
    const { clock, controller, delays, logged, start, observed } = controllerFixture(reconcile, {
      reconcileTimeout: 1000,
    });
    const { stop } = start();
    controller.enqueue(a);
    await eventually(() => open.length === 1);
    const stopping = stop('enough');
    await clock.advance(1000);
    expect(open[0]!.context.signal.reason).toBe('enough');
    open[0]!.finish();
    await stopping;
    expect(observed).toEqual(['started', 'success in 1 s']);
    expect(logged('warn')).toEqual([]);
    expect([clock.delays, delays()]).toEqual([[], []]);
    const other = controllerFixture(() => Promise.reject(new DOMException('mine', 'TimeoutError')), {
      reconcileTimeout: 1000,
    });
    other.start();
    other.controller.enqueue(a);
    await eventually(() => other.observed.length === 3);
    expect(other.observed).toEqual(['started', 'failed: error', 'error in 0 s']);
    expect(other.delays()).toEqual([5]);
  });
});

test('a reconcile that does not end is logged, less and less often', async () => {
  const { open, reconcile } = gate();
  const { clock, controller, logged, start } = controllerFixture(reconcile);
  start();
  controller.enqueue(a);
  await eventually(() => open.length === 1);
  await clock.advance(4 * 60_000);
  expect(logged('warn')).toEqual([]);
  await clock.advance(60_000);
  expect(logged('warn')).toHaveLength(1);
  expect(logged('warn')[0]).toMatchObject({ ...a, seconds: 300 });
  await clock.advance(36 * 60_000);
  expect(logged('warn').map(({ seconds }) => seconds)).toEqual([300, 600, 1200, 2400]);
  open[0]!.finish();
  await eventually(() => open.length === 0);
  await clock.advance(3_600_000);
  expect(logged('warn')).toHaveLength(4);
});

describe('the context', () => {
  test('is that of the work: client calls find its signal and the fence', async () => {
    const fence = (): void => {};
    let work: ReturnType<typeof currentWork>;
    let signal: AbortSignal | undefined;
    const { controller, start, observed } = controllerFixture(
      async (_, context) => {
        await settled();
        work = currentWork();
        ({ signal } = context);
      },
      { fence },
    );
    start();
    controller.enqueue(a);
    await eventually(() => observed.length === 2);
    expect(work!.signal).toBe(signal);
    expect(work!.fence).toBe(fence);
    expect(currentWork()).toBeUndefined();
  });

  test('its logger names the object and the reconcile, even in a copy of the context', async () => {
    const { controller, logged, start } = controllerFixture(async (_, context) => {
      const copy = { ...context };
      copy.logger.info('hello');
      expect(copy.signal).toBe(context.signal);
    });
    start();
    controller.enqueue(a);
    await eventually(() => logged('info').length === 1);
    expect(logged('info')[0]).toMatchObject({ ...a, controller: 'test', msg: 'hello' });
    expect(logged('info')[0]!['reconcileId']).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('each reconcile knows why it runs, and the log says it at level debug', async () => {
    const reasons: unknown[] = [];
    const { controller, clock, start, logged } = controllerFixture(async (_, context) => {
      reasons.push(...context.reasons);
      if (context.attempt === 1 && reasons.length === 1) throw new Error('no');
      return reasons.length === 2 ? { requeueAfter: '1m' } : undefined;
    });
    start();
    controller.enqueue({ name: 'a' });
    await eventually(() => reasons.length === 1);
    await clock.advance(5);
    await eventually(() => reasons.length === 2);
    await clock.advance(60_000);
    await eventually(() => reasons.length === 3);
    expect(reasons).toEqual([
      { type: 'source' },
      { type: 'backoff', attempt: 1, error: 'no' },
      { type: 'requeue', afterSeconds: 60 },
    ]);
    const started = logged('debug').filter(({ msg }) => msg === 'reconcile started');
    expect(started.map((line) => line['reasons'])).toEqual([
      ['controller.enqueue'],
      ['attempt 1 failed: no'],
      ['requeueAfter 60 s'],
    ]);
  });

  test.each([true, false])('a span has the reasons if a tracer receives it: %s', async (isRecording) => {
    const attributes: unknown[] = [];
    const tracer: Tracer = {
      span: (_, __, work) =>
        work({ isRecording, setAttributes: (more) => void attributes.push(more), headers: () => ({}) }),
    };
    const { controller, start, observed } = controllerFixture(async () => {}, { tracer });
    start();
    controller.enqueue({ name: 'b' });
    await eventually(() => observed.length === 2);
    expect(attributes).toEqual(isRecording ? [{ reasons: 'controller.enqueue' }] : []);
  });

  test('each reconcile runs in a span', async () => {
    const spans: unknown[] = [];
    const tracer: Tracer = {
      async span(name, attributes, work) {
        const { reconcileId, ...rest } = attributes;
        try {
          return await work({ isRecording: false, setAttributes: () => {}, headers: () => ({}) });
        } catch (error) {
          spans.push(String(error));
          throw error;
        } finally {
          spans.push({ span: name, ...rest, id: typeof reconcileId });
        }
      },
    };
    const { controller, start, observed } = controllerFixture(
      () => {
        throw new Error('no');
      },
      { tracer },
    );
    start();
    controller.enqueue({ name: 'b' });
    await eventually(() => observed.length === 3);
    expect(spans).toEqual([
      'Error: no',
      { span: 'reconcile test', controller: 'test', name: 'b', attempt: 1, id: 'string' },
    ]);
  });
});

describe('namespaces that come and go', () => {
  const notCached = (namespace: string, isDynamic = true): NamespaceNotCachedError =>
    new NamespaceNotCachedError(Thing, namespace, { names: ['other'], isDynamic });
  const quiet = ['debug'];

  test('a request of a namespace that has left does not run, nor does its retry', async () => {
    let hasLeft = false;
    const { clock, controller, delays, start, observed, logged } = controllerFixture(
      async () => {
        throw new Error('no');
      },
      { hasLeft: ({ namespace }) => hasLeft && namespace === 'default' },
    );
    start();
    controller.enqueue(a);
    await eventually(() => observed.length === 3);
    expect(delays()).toEqual([5]);
    hasLeft = true;
    await clock.advance(5);
    controller.enqueue(a);
    await settled();
    expect(observed).toHaveLength(3);
    expect(delays()).toEqual([]);
    hasLeft = false;
    controller.enqueue(a);
    await eventually(() => observed.length === 6);
    // As at the first time.
    expect(delays()).toEqual([5]);
    expect(logged('error').map(({ attempt }) => attempt)).toEqual([1, 1]);
  });

  test('a reconcile whose namespace leaves while it runs ends quietly, whatever it fails with', async () => {
    let hasLeft = false;
    const { controller, delays, start, observed, logged } = controllerFixture(
      async () => {
        hasLeft = true;
        throw refusal('Forbidden');
      },
      { hasLeft: () => hasLeft },
    );
    start();
    controller.enqueue(a);
    await eventually(() => observed.length === 2);
    expect(observed).toEqual(['started', 'requeue in 0 s']);
    expect(delays()).toEqual([]);
    expect(logged('error')).toEqual([]);
  });

  test('a read of the own namespace that has left ends a reconcile quietly; other reads are retried as errors', async () => {
    let error = notCached('default');
    const { controller, delays, start, observed, logged } = controllerFixture(async () => {
      throw new Error('cannot read', { cause: error });
    });
    start();
    controller.enqueue(a);
    await eventually(() => observed.length === 2);
    expect([delays(), logged('error')]).toEqual([[], []]);
    for (const each of [notCached('other'), notCached('default', false)]) {
      error = each;
      observed.length = 0;
      controller.enqueue(a);
      await eventually(() => observed.length === 3);
      expect(observed[1]).toBe('failed: error');
    }
    expect(logged('error')).toHaveLength(2);
  });

  test('a reconcile that needs what is not cached yet is retried within seconds, and is not a failure', async () => {
    const { clock, controller, delays, start, observed, lines } = controllerFixture(async () => {
      throw new CacheSyncError('Thing in default is not cached yet', 'It is a test.');
    });
    start();
    controller.enqueue(a);
    for (let attempt = 1; attempt <= 20; attempt += 1) {
      await eventually(() => observed.length === 2 * attempt);
      expect(delays()[0]).toBeLessThanOrEqual(5000);
      await clock.advance(delays()[0]!);
    }
    expect(new Set(observed)).toEqual(new Set(['started', 'requeue in 0 s']));
    const levels = lines.map((line) => (JSON.parse(line) as { level: string }).level);
    expect([...new Set(levels)]).toEqual(quiet);
  });
});
