import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { controllerFixture, gate } from '../../test/controller-fixture.ts';
import { eventually } from '../../test/eventually.ts';
import { expectNothingOpen, openResources } from '../../test/open-resources.ts';
import { VirtualClock, settled } from '../../test/virtual-clock.ts';
import { systemClock } from 'ots-apimachinery/clock/clock';
import { currentWork } from '../context/work-context.ts';
import { createLogger } from '../logging/create-logger.ts';
import { lowPriority } from '../queue/priority.ts';
import { Controller } from './controller.ts';
import type { Request } from './reconciler.ts';
import type { Source, SourceContext } from './source.ts';

const a: Request = { name: 'a', namespace: 'default' };
const nothing = async (): Promise<void> => {};

/** A source that starts when the test says so. */
function manualSource(): Source & {
  context?: SourceContext;
  starts: number;
  settle: (error?: Error) => void;
} {
  let resolve: () => void;
  let reject: (error: Error) => void;
  const started = new Promise<void>((onResolved, onRejected) => {
    resolve = onResolved;
    reject = onRejected;
  });
  const source: ReturnType<typeof manualSource> = {
    name: 'manual',
    starts: 0,
    settle: (error) => (error ? reject(error) : resolve()),
    start(context) {
      source.context = context;
      source.starts += 1;
      return started;
    },
  };
  return source;
}

describe('the order of reconciles', () => {
  test('an object is never reconciled twice at a time, and changes during that cause one more reconcile', async () => {
    const { open, names, reconcile } = gate();
    const { controller, start } = controllerFixture(reconcile, { maxConcurrentReconciles: 4 });
    start();
    controller.enqueue(a);
    await eventually(() => open.length === 1);
    for (let change = 0; change < 5; change += 1) controller.enqueue({ ...a });
    await settled();
    expect(names()).toEqual(['a']);
    open[0]!.finish();
    await eventually(() => open.length === 1);
    open[0]!.finish();
    await settled();
    expect(names()).toEqual([]);
  });

  test('a reconciler or a caller that changes its request does no harm', async () => {
    const seen: string[] = [];
    const { clock, controller, delays, start } = controllerFixture(async (request) => {
      seen.push(request.name);
      request.name = 'changed';
      if (seen.length === 1) throw new Error('no');
    });
    start();
    const request = { ...a };
    controller.enqueue(request);
    request.name = 'changed';
    await eventually(() => delays().length === 1);
    await clock.advance(5);
    await eventually(() => seen.length === 2);
    controller.enqueue(a);
    await eventually(() => seen.length === 3);
    expect(seen).toEqual(['a', 'a', 'a']);
  });

  test('at most maxConcurrentReconciles objects are reconciled at a time', async () => {
    const { open, names, reconcile } = gate();
    const { controller, start } = controllerFixture(reconcile, { maxConcurrentReconciles: 2 });
    start();
    for (const name of ['a', 'b', 'c']) controller.enqueue({ name });
    await eventually(() => open.length === 2);
    await settled();
    expect(names()).toEqual(['a', 'b']);
    open[0]!.finish();
    await eventually(() => names().includes('c'));
    for (const run of open.slice()) run.finish();
  });

  test('the higher priority runs first', async () => {
    const seen: string[] = [];
    const { controller, start } = controllerFixture(async ({ name }) => void seen.push(name));
    controller.enqueue({ name: 'low' }, { priority: lowPriority });
    controller.enqueue({ name: 'plain' });
    controller.enqueue({ name: 'high' }, { priority: 1 });
    start();
    await eventually(() => seen.length === 3);
    expect(seen).toEqual(['high', 'plain', 'low']);
  });

  test('a delayed request waits until it is due', async () => {
    const seen: string[] = [];
    const { clock, controller, delays, start } = controllerFixture(async ({ name }) => void seen.push(name));
    start();
    controller.enqueue(a, { after: '500ms' });
    await settled();
    expect([seen, delays()]).toEqual([[], [500]]);
    await clock.advance(500);
    await eventually(() => seen.length === 1);
  });

  test.each([
    ['no name', {} as Request, {}, 'no name'],
    ['an empty name', { name: '' }, {}, 'no name'],
    ['a delay that is not a number', a, { after: NaN }, 'NaN is not a duration'],
    ['a priority that is not a number', a, { priority: NaN }, 'The priority is NaN'],
  ])('a request with %s is refused', (_, request, options, message) => {
    const { controller } = controllerFixture(nothing);
    expect(() => controller.enqueue(request, options)).toThrow(message);
  });

  test.each([1, 64])(
    'reconciles of %i workers that end at once leave time for the rest of the process',
    async (workers) => {
      let runs = 0;
      // Each look takes a millisecond of real time; the clock of the operator stands still.
      let looks = 0;
      const look = vi.spyOn(systemClock, 'now').mockImplementation(() => (looks += 1));
      onTestFinished(() => look.mockRestore());
      const clock = new VirtualClock();
      const controller = new Controller({
        name: 'test',
        maxConcurrentReconciles: workers,
        reconciler: { reconcile: async () => void (runs += 1) },
        clock,
        networkClock: clock,
        logger: createLogger({ level: 'silent' }),
      });
      for (let name = 0; name < 1000; name += 1) controller.enqueue({ name: String(name) });
      const abort = new AbortController();
      const run = controller.start(abort.signal);
      await settled();
      expect(runs).toBeLessThan(100);
      await eventually(() => runs === 1000);
      abort.abort();
      await run;
    },
  );
});

describe('starting', () => {
  test('nothing runs before every source has queued the existing objects', async () => {
    const seen: string[] = [];
    const { controller, start } = controllerFixture(async ({ name }) => void seen.push(name));
    const slow = manualSource();
    const fast = manualSource();
    controller.watch(slow);
    controller.watch(fast);
    start();
    fast.context!.enqueue(a);
    fast.settle();
    await settled();
    expect(seen).toEqual([]);
    slow.settle();
    await eventually(() => seen.length === 1);
  });

  test('the start also waits for a source that is added while the others start', async () => {
    const seen: string[] = [];
    const { controller, start } = controllerFixture(async ({ name }) => void seen.push(name));
    const first = manualSource();
    const second = manualSource();
    controller.watch(first);
    start();
    controller.watch(second);
    controller.enqueue(a);
    first.settle();
    await settled();
    expect([second.starts, seen]).toEqual([1, []]);
    second.settle();
    await eventually(() => seen.length === 1);
  });

  test('the start also waits for a source that replaces a removed one', async () => {
    const seen: string[] = [];
    const { controller, start } = controllerFixture(async ({ name }) => void seen.push(name));
    const [first, second, third] = [manualSource(), manualSource(), manualSource()];
    controller.watch(first);
    const registration = controller.watch(second);
    start();
    registration[Symbol.dispose]();
    controller.watch(third);
    controller.enqueue(a);
    first.settle();
    await settled();
    expect(seen).toEqual([]);
    third.settle();
    await eventually(() => seen.length === 1);
  });

  test('a source is part of the work of its controller: its writes pass the fence', async () => {
    const fence = (): void => {};
    const { controller, start } = controllerFixture(nothing, { fence });
    const works: ReturnType<typeof currentWork>[] = [];
    controller.watch({
      name: 'writer',
      async start({ signal }) {
        await settled();
        works.push({ ...currentWork(), signal });
      },
    });
    start();
    await eventually(() => works.length === 1);
    expect(works[0]).toMatchObject({ fence, signal: { aborted: false } });
  });

  test('a source that fails fails the start, and stops the others', async () => {
    const { controller, start } = controllerFixture(nothing);
    const good = manualSource();
    controller.watch(good);
    controller.watch({
      name: 'bad',
      start() {
        throw new Error('the kind does not exist');
      },
    });
    await expect(start().run).rejects.toThrow('the kind does not exist');
    expect(good.context!.signal.aborted).toBe(true);
  });

  test('a source that takes too long fails the start, and the error names it', async () => {
    const { clock, controller, start } = controllerFixture(nothing, { cacheSyncTimeout: '5s' });
    controller.watch(manualSource());
    const { run } = start();
    run.catch(() => {});
    await clock.advance(4999);
    await clock.advance(1);
    await expect(run).rejects.toThrow('The watch on manual did not sync within 5 s');
    expect(clock.delays).toEqual([]);
  });

  test('the default limit is two minutes', async () => {
    const { clock, controller, start } = controllerFixture(nothing);
    controller.watch(manualSource());
    start();
    expect(clock.delays).toEqual([120_000]);
  });

  test('a stop while a source is still syncing is not an error, and leaves nothing behind', async () => {
    const { clock, controller, start } = controllerFixture(nothing);
    controller.watch(manualSource());
    await expect(start().stop()).resolves.toBeUndefined();
    await settled();
    expect(clock.delays).toEqual([]);
  });

  test('a signal that has aborted already starts nothing', async () => {
    const { controller } = controllerFixture(nothing);
    const source = manualSource();
    controller.watch(source);
    await controller.start(AbortSignal.abort());
    expect(source.starts).toBe(0);
    const late = manualSource();
    await controller.watch(late).synced;
    expect(late.starts).toBe(0);
  });

  test('a controller that never starts has no timer and no listener', () => {
    const before = process.listenerCount('unhandledRejection');
    const { clock, controller } = controllerFixture(nothing, { reconcileTimeout: '1m' });
    controller.watch(manualSource());
    expect(clock.delays).toEqual([]);
    expect(process.listenerCount('unhandledRejection')).toBe(before);
  });

  test('it starts once', async () => {
    const { controller, start } = controllerFixture(nothing);
    start();
    await expect(controller.start(new AbortController().signal)).rejects.toThrow('started twice');
  });

  test.each([
    [{ maxConcurrentReconciles: 0 }, 'maxConcurrentReconciles is 0'],
    [{ maxConcurrentReconciles: 1.5 }, 'maxConcurrentReconciles is 1.5'],
    [{ reconcileTimeout: 0 }, 'reconcileTimeout is 0'],
    [{ reconcileTimeout: 'soon' as '1s' }, 'not a duration'],
    [{ cacheSyncTimeout: -1 }, 'not a duration'],
  ])('%j is refused', (settings, message) => {
    expect(() => controllerFixture(nothing, settings)).toThrow(message);
  });

  test('it runs only on the leader by default', () => {
    expect(controllerFixture(nothing).controller.needsLeaderElection).toBe(true);
    expect(controllerFixture(nothing, { needsLeaderElection: false }).controller.needsLeaderElection).toBe(
      false,
    );
  });
});

describe('warming up', () => {
  test('fills the queue, and runs nothing before the start, which starts no source again', async () => {
    const seen: string[] = [];
    const { controller, start } = controllerFixture(async ({ name }) => void seen.push(name), {
      warmUp: true,
    });
    const source = manualSource();
    controller.watch(source);
    const warm = controller.warmUp(new AbortController().signal);
    source.context!.enqueue(a);
    source.settle();
    await warm;
    expect([source.starts, seen]).toEqual([1, []]);
    start();
    await eventually(() => seen.length === 1);
    expect(source.starts).toBe(1);
  });

  test('a source that is added after it starts at once, and the start waits for it', async () => {
    const seen: string[] = [];
    const { controller, start } = controllerFixture(async ({ name }) => void seen.push(name), {
      warmUp: true,
    });
    await controller.warmUp(new AbortController().signal);
    const late = manualSource();
    controller.watch(late);
    expect(late.starts).toBe(1);
    start();
    controller.enqueue(a);
    await settled();
    expect(seen).toEqual([]);
    late.settle();
    await eventually(() => seen.length === 1);
    expect(late.starts).toBe(1);
  });

  test('a start during the warm-up waits for it', async () => {
    const seen: string[] = [];
    const { controller, start } = controllerFixture(async ({ name }) => void seen.push(name), {
      warmUp: true,
    });
    const source = manualSource();
    controller.watch(source);
    const warm = controller.warmUp(new AbortController().signal);
    start();
    controller.enqueue(a);
    await settled();
    expect([source.starts, seen]).toEqual([1, []]);
    source.settle();
    await warm;
    await eventually(() => seen.length === 1);
  });

  test('does nothing unless it is enabled', async () => {
    const { controller } = controllerFixture(nothing);
    const source = manualSource();
    controller.watch(source);
    await controller.warmUp(new AbortController().signal);
    expect(source.starts).toBe(0);
  });

  test('stops with its own signal, and fails as a start does', async () => {
    const { controller } = controllerFixture(nothing, { warmUp: true });
    controller.watch(manualSource());
    const abort = new AbortController();
    const warm = controller.warmUp(abort.signal);
    abort.abort();
    await warm;
    const { controller: other } = controllerFixture(nothing, { warmUp: true });
    const [good, bad] = [manualSource(), manualSource()];
    other.watch(good);
    other.watch(bad);
    bad.settle(new Error('no'));
    await expect(other.warmUp(new AbortController().signal)).rejects.toThrow('no');
    expect(good.context!.signal.aborted).toBe(true);
  });
});

describe('watches of a controller that runs', () => {
  test('start at once, and end when they are disposed of', async () => {
    const seen: string[] = [];
    const { controller, start } = controllerFixture(async ({ name }) => void seen.push(name));
    start();
    await settled();
    const source = manualSource();
    const registration = controller.watch(source);
    source.context!.enqueue(a);
    source.settle();
    await registration.synced;
    await eventually(() => seen.length === 1);
    registration[Symbol.dispose]();
    expect(source.context!.signal.aborted).toBe(true);
  });

  test('have their own signal, even if a reconcile adds them', async () => {
    const signals: unknown[] = [];
    const { controller, start } = controllerFixture(async () => {
      const record = async (context: SourceContext): Promise<void> =>
        void signals.push(context.signal, currentWork()?.signal);
      controller.watch({ name: 'inner', start: record });
    });
    start();
    controller.enqueue(a);
    await eventually(() => signals.length === 2);
    expect(signals[1]).toBe(signals[0]);
  });

  test('that are disposed of before the start never start', async () => {
    const { controller, start } = controllerFixture(nothing);
    const source = manualSource();
    const registration = controller.watch(source);
    registration[Symbol.dispose]();
    await registration.synced;
    start();
    await settled();
    expect(source.starts).toBe(0);
  });

  test('that fail are reported, and the controller continues', async () => {
    const seen: string[] = [];
    const { controller, logged, start } = controllerFixture(async ({ name }) => void seen.push(name));
    start();
    await settled();
    const source = manualSource();
    const registration = controller.watch(source);
    source.settle(new Error('no such kind'));
    await expect(registration.synced).rejects.toThrow('no such kind');
    await eventually(() => logged('error').length === 1);
    expect(source.context!.signal.aborted).toBe(true);
    expect(logged('error')[0]).toMatchObject({
      msg: 'watch did not start',
      source: 'manual',
      controller: 'test',
    });
    controller.enqueue(a);
    await eventually(() => seen.length === 1);
  });

  test('that take too long are reported, and continue', async () => {
    const seen: string[] = [];
    const { clock, controller, logged, start } = controllerFixture(async ({ name }) => void seen.push(name));
    start();
    await settled();
    const source = manualSource();
    const registration = controller.watch(source);
    await clock.advance(120_000);
    await expect(registration.synced).rejects.toThrow('within 120 s');
    expect(logged('error')).toMatchObject([{ msg: 'watch did not start' }]);
    source.context!.enqueue(a);
    await eventually(() => seen.length === 1);
    expect(source.context!.signal.aborted).toBe(false);
  });

  test('end with the controller', async () => {
    const { controller, start } = controllerFixture(nothing);
    const { stop } = start();
    await settled();
    const source = manualSource();
    const { synced } = controller.watch(source);
    await stop();
    await synced;
    expect(source.context!.signal.aborted).toBe(true);
    const late = manualSource();
    await controller.watch(late).synced;
    expect(late.starts).toBe(0);
  });
});

describe('stopping', () => {
  test('running reconciles receive the reason, and the stop waits for them', async () => {
    const { open, reconcile } = gate();
    const { controller, start } = controllerFixture(reconcile);
    const { stop } = start();
    controller.enqueue(a);
    await eventually(() => open.length === 1);
    const { signal } = open[0]!.context;
    let stopped = false;
    const reason = new Error('the lease is lost');
    const stopping = stop(reason).then(() => (stopped = true));
    await settled();
    expect([signal.reason, stopped]).toEqual([reason, false]);
    open[0]!.finish();
    await stopping;
  });

  test('a reconcile that reads its signal later finds it aborted', async () => {
    const { open, reconcile } = gate();
    const { controller, start } = controllerFixture(reconcile);
    const { stop } = start();
    controller.enqueue(a);
    await eventually(() => open.length === 1);
    const stopping = stop('enough');
    expect(open[0]!.context.signal.reason).toBe('enough');
    open[0]!.finish();
    await stopping;
  });

  test('an interrupted reconcile is not a failure, and nothing runs after the stop', async () => {
    const { clock, controller, logged, start, observed } = controllerFixture(
      (_, { signal }) =>
        new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () =>
            reject(new Error('the request failed', { cause: signal.reason })),
          ),
        ),
    );
    const { stop } = start();
    controller.enqueue(a);
    await settled();
    controller.enqueue({ name: 'b' });
    await stop();
    expect([logged('error'), logged('info')]).toEqual([[], []]);
    expect(observed).toEqual(['started', 'requeue in 0 s']);
    expect(clock.delays).toEqual([]);
  });

  test('a request that arrives at the moment of the stop does not run', async () => {
    const seen: string[] = [];
    const { controller, start, observed } = controllerFixture(async ({ name }) => void seen.push(name));
    const { stop } = start();
    await settled();
    controller.enqueue(a);
    await stop();
    expect([seen, observed]).toEqual([[], []]);
  });

  test('a failure that is unrelated to the stop is still reported', async () => {
    const { controller, logged, start } = controllerFixture(
      (_, { signal }) =>
        new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('a bug')))),
    );
    const { stop } = start();
    controller.enqueue(a);
    await settled();
    await stop('enough');
    expect(logged('error')).toHaveLength(1);
  });

  test('an error of the same kind as the reason of the stop is not a failure either', async () => {
    class LeadershipLostError extends Error {
      override readonly name = 'LeadershipLostError';
    }
    const { open, reconcile } = gate();
    const { controller, logged, start } = controllerFixture(async (request, context) => {
      await reconcile(request, context);
      throw new LeadershipLostError('the fence refuses the write');
    });
    const { stop } = start();
    controller.enqueue(a);
    await eventually(() => open.length === 1);
    const stopping = stop(new LeadershipLostError('the lease was not renewed'));
    open[0]!.finish();
    await stopping;
    expect(logged('error')).toEqual([]);
  });

  test('keeps nothing alive, and leaves no listener on the process', async () => {
    const before = process.listenerCount('unhandledRejection');
    const { clock, controller, start } = controllerFixture(nothing);
    const { stop } = start();
    controller.enqueue(a, { after: 1000 });
    await settled();
    expect(process.listenerCount('unhandledRejection')).toBe(before + 1);
    await stop();
    expect(clock.delays).toEqual([]);
    expect(process.listenerCount('unhandledRejection')).toBe(before);
  });

  test('leaves no system timer behind, idle or after reconciles', async () => {
    await expectNothingOpen();
    const abort = new AbortController();
    const controller = new Controller({
      name: 'test',
      reconciler: { reconcile: async () => ({ requeueAfter: '1h' }) },
      clock: systemClock,
      networkClock: systemClock,
      logger: createLogger({ level: 'silent' }),
      reconcileTimeout: '1m',
    });
    const run = controller.start(abort.signal);
    controller.enqueue(a);
    controller.enqueue({ name: 'b' }, { after: 3_600_000 });
    await settled();
    expect(openResources()).toContain('Timeout');
    abort.abort();
    await run;
    await expectNothingOpen();
  });
});
