import { afterEach, describe, expect, test } from 'vitest';
import { eventually } from '../../test/eventually.ts';
import { VirtualClock, settled } from '../../test/virtual-clock.ts';
import { ApiError } from '../client/api-error.ts';
import { createLogger } from '../logging/create-logger.ts';
import { Controller } from './controller.ts';
import type { ReconcileContext, Request, Result } from './reconciler.ts';
import { TerminalError } from './terminal-error.ts';

const a: Request = { name: 'a', namespace: 'default' };
const b: Request = { name: 'b', namespace: 'default' };

const nothing = (): void => {};

let stopAll: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const stop of stopAll) await stop();
  stopAll = [];
});

interface Fixture {
  clock: VirtualClock;
  controller: Controller;
  lines: string[];
  start: () => { stop: () => Promise<void> };
}

function setUp(
  reconcile: (request: Request, context: ReconcileContext) => Promise<Result | void>,
  maxConcurrentReconciles = 1,
): Fixture {
  const clock = new VirtualClock();
  const lines: string[] = [];
  const logger = createLogger({ level: 'debug', stream: { write: (line) => lines.push(line) } });
  const controller = new Controller({
    name: 'test',
    reconciler: { reconcile },
    maxConcurrentReconciles,
    clock,
    logger,
  });
  const start = (): { stop: () => Promise<void> } => {
    const abort = new AbortController();
    const run = controller.start(abort.signal);
    const stop = (): Promise<void> => {
      abort.abort();
      return run;
    };
    stopAll.push(stop);
    return { stop };
  };
  return { clock, controller, lines, start };
}

/** A reconciler whose runs end when the test says so. */
function gated() {
  const open: { request: Request; finish: () => void }[] = [];
  return {
    open,
    names: () => open.map(({ request }) => request.name),
    reconcile: (request: Request) =>
      new Promise<void>((resolve) => {
        const run = {
          request,
          finish: () => {
            open.splice(open.indexOf(run), 1);
            resolve();
          },
        };
        open.push(run);
      }),
  };
}

describe('the order of runs', () => {
  test('one object is never worked on twice at a time, and changes meanwhile make one more run', async () => {
    const gate = gated();
    const { controller, start } = setUp(gate.reconcile, 4);
    start();
    controller.enqueue(a);
    await eventually(() => gate.open.length === 1);
    for (let change = 0; change < 5; change += 1) controller.enqueue({ ...a });
    await settled();
    expect(gate.names()).toEqual(['a']);
    gate.open[0]!.finish();
    await eventually(() => gate.open.length === 1);
    gate.open[0]!.finish();
    await settled();
    expect(gate.names()).toEqual([]);
  });

  test('as many objects are worked on at a time as it is told', async () => {
    const gate = gated();
    const { controller, start } = setUp(gate.reconcile, 2);
    start();
    for (const name of ['a', 'b', 'c']) controller.enqueue({ name });
    await eventually(() => gate.open.length === 2);
    await settled();
    expect(gate.names()).toEqual(['a', 'b']);
    gate.open[0]!.finish();
    await eventually(() => gate.names().includes('c'));
    for (const run of gate.open.slice()) run.finish();
  });

  test('nothing runs before every source has queued what was there', async () => {
    const seen: string[] = [];
    const { controller, start } = setUp(async ({ name }) => void seen.push(name));
    let synced = nothing;
    controller.addSource(() => new Promise((resolve) => (synced = resolve)));
    controller.addSource(() => Promise.resolve());
    start();
    controller.enqueue(a);
    await settled();
    expect(seen).toEqual([]);
    synced();
    await eventually(() => seen.length === 1);
  });

  test('stopping while a source is still filling ends it', async () => {
    const { controller, start } = setUp(async () => {});
    controller.addSource(() => new Promise(() => {}));
    await expect(start().stop()).resolves.toBeUndefined();
  });
});

describe('what a run asks for', () => {
  test('requeueAfter runs it again after that time', async () => {
    let runs = 0;
    const { clock, controller, start } = setUp(async () => {
      runs += 1;
      return { requeueAfter: '30s' };
    });
    start();
    controller.enqueue(a);
    await eventually(() => runs === 1 && clock.delays.length === 1);
    expect(clock.delays).toEqual([30_000]);
    await clock.advance(30_000);
    await eventually(() => runs === 2);
  });

  test.each([
    ['rejects', () => Promise.reject(new Error('no'))],
    [
      'throws before it awaits anything',
      () => {
        throw new Error('no');
      },
    ],
    ['rejects with something that is no error', () => Promise.reject('no')],
    ['returns a malformed duration', () => Promise.resolve({ requeueAfter: 'soon' })],
    ['returns a negative duration', () => Promise.resolve({ requeueAfter: -1 })],
  ])('a run that %s is tried again with growing delays', async (_, reconcile) => {
    let runs = 0;
    const { clock, controller, start } = setUp(() => {
      runs += 1;
      return reconcile();
    });
    start();
    controller.enqueue(a);
    for (const delay of [5, 10, 20, 40]) {
      await eventually(() => clock.delays.length === 1);
      expect(clock.delays).toEqual([delay]);
      await clock.advance(delay);
    }
    await eventually(() => runs === 5);
  });

  test('it is told of earlier attempts, until one succeeds', async () => {
    const told: { attempt: number; lastError?: unknown }[] = [];
    const failures = [new Error('one'), new Error('two')];
    const { clock, controller, start } = setUp(async (_, { attempt, lastError, ...rest }) => {
      told.push('lastError' in rest || lastError !== undefined ? { attempt, lastError } : { attempt });
      const failure = failures[told.length - 1];
      if (failure) throw failure;
    });
    start();
    controller.enqueue(a);
    await eventually(() => clock.delays.length === 1);
    await clock.advance(5);
    await eventually(() => clock.delays.length === 1);
    await clock.advance(10);
    await eventually(() => told.length === 3);
    controller.enqueue(a);
    await eventually(() => told.length === 4);
    expect(told).toEqual([
      { attempt: 1 },
      { attempt: 2, lastError: failures[0] },
      { attempt: 3, lastError: failures[1] },
      { attempt: 1 },
    ]);
  });

  test('requeueAfter starts the delays of failures over', async () => {
    const results: (() => Result)[] = [
      () => {
        throw new Error('one');
      },
      () => ({ requeueAfter: 1000 }),
      () => {
        throw new Error('two');
      },
    ];
    const { clock, controller, start } = setUp(async () => results.shift()!());
    start();
    controller.enqueue(a);
    for (const delay of [5, 1000, 5]) {
      await eventually(() => clock.delays.length === 1);
      expect(clock.delays).toEqual([delay]);
      if (results.length > 0) await clock.advance(delay);
    }
  });

  test('a terminal error is not tried again, but the next change is', async () => {
    let runs = 0;
    const { clock, controller, lines, start } = setUp(async () => {
      runs += 1;
      throw new TerminalError('the size can never be negative');
    });
    start();
    controller.enqueue(a);
    await eventually(() => lines.some((line) => line.includes('failed for good')));
    expect(clock.delays).toEqual([]);
    controller.enqueue(a);
    await eventually(() => runs === 2);
  });

  test('a failure of one object does not hold up another', async () => {
    const seen: string[] = [];
    const { controller, start } = setUp(async ({ name }) => {
      seen.push(name);
      if (name === 'a') throw new Error('no');
    });
    start();
    controller.enqueue(a);
    controller.enqueue(b);
    await eventually(() => seen.includes('b'));
    expect(seen).toEqual(['a', 'b']);
  });
});

describe('logging', () => {
  test('a failure is an error with the object and the run; a conflict is everyday life', async () => {
    const errors = [
      new Error('broken'),
      new ApiError({ code: 409, reason: 'Conflict', message: 'was modified' }),
    ];
    const { clock, controller, lines, start } = setUp(async () => {
      throw errors.shift();
    });
    start();
    controller.enqueue(a);
    await eventually(() => lines.length === 1);
    await clock.advance(5);
    await eventually(() => lines.length === 2);
    const [failure, conflict] = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(failure).toMatchObject({
      level: 'error',
      controller: 'test',
      name: 'a',
      namespace: 'default',
      attempt: 1,
    });
    expect(failure!['reconcileId']).toMatch(/^[0-9a-f-]{36}$/);
    expect(conflict).toMatchObject({ level: 'info', reason: 'was modified' });
  });
});

describe('stopping', () => {
  test('runs under way are told, and waited for', async () => {
    let settle = nothing;
    let aborted = false;
    const { controller, start } = setUp(
      (_, { signal }) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => (aborted = true));
          settle = () => resolve();
        }),
    );
    const { stop } = start();
    controller.enqueue(a);
    await settled();
    let stopped = false;
    const stopping = stop().then(() => (stopped = true));
    await settled();
    expect([aborted, stopped]).toEqual([true, false]);
    settle();
    await stopping;
  });

  test('what the stop interrupts is no failure, and nothing runs after it', async () => {
    const { clock, controller, lines, start } = setUp(
      (_, { signal }) =>
        new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    );
    const { stop } = start();
    controller.enqueue(a);
    await settled();
    controller.enqueue(b);
    await stop();
    expect(lines).toEqual([]);
    expect(clock.delays).toEqual([]);
  });
});
