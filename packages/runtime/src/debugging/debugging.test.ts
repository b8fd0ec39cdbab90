import { describe, expect, onTestFinished, test } from 'vitest';
import { controllerFixture, gate } from '../../test/controller-fixture.ts';
import { eventually } from '../../test/eventually.ts';
import { settled } from '../../test/virtual-clock.ts';
import { TerminalError } from '../controller/classify-error.ts';
import { ApiError } from '../errors/api-error.ts';
import {
  type Debugger,
  type PendingReconcile,
  type QueueItem,
  type ReconcileRecord,
  type StartedReconcile,
  attachDebugger,
  queueSnapshots,
} from './debugging.ts';

/** Attached until the end of the test. */
function attach(observer: Debugger): () => void {
  const detach = attachDebugger(observer);
  onTestFinished(detach);
  return detach;
}

function recorder() {
  const started: StartedReconcile[] = [];
  const ended: ReconcileRecord[] = [];
  const detach = attach({
    started: (record) => started.push(record),
    ended: (record) => ended.push(record),
  });
  return { started, ended, detach };
}

/** Holds everything until the test admits it. */
function holder() {
  const held = new Map<string, () => void>();
  const asked: PendingReconcile[] = [];
  const detach = attach({
    admit: (entry) => {
      asked.push(entry);
      return new Promise((resolve) => held.set(entry.request.name, resolve));
    },
  });
  return { held, asked, detach };
}

const items = (): (readonly QueueItem[])[] => queueSnapshots().map((snapshot) => snapshot.items);
const states = (): string[] =>
  items()
    .flat()
    .map(({ state, name }) => `${state} ${name}`);

describe('records', () => {
  test('say when and why a reconcile ran, how long it waited and took, and how it ended', async () => {
    const { started, ended } = recorder();
    const runs = gate();
    const { controller, clock, start } = controllerFixture(runs.reconcile);
    start();
    controller.enqueue({ name: 'first' });
    await eventually(() => runs.open.length === 1);
    controller.enqueue({ name: 'a', namespace: 'here' }, { priority: 3 });
    await clock.advance(1500);
    runs.open[0]!.finish();
    await eventually(() => runs.names()[0] === 'a');
    const [{ context, finish }] = runs.open as [(typeof runs.open)[0]];
    await clock.advance(250);
    finish({ requeueAfter: '1m' });
    await eventually(() => ended.length === 2);
    const time = (ago: number): string => new Date(clock.epoch() - ago).toISOString();
    const known = {
      id: context.reconcileId,
      controller: 'test',
      request: { name: 'a', namespace: 'here' },
      attempt: 1,
      priority: 3,
      reasons: [{ type: 'source' }],
      queuedAt: time(1750),
      startedAt: time(250),
      waitedSeconds: 1.5,
    };
    expect(started[1]).toEqual(known);
    expect(ended[1]).toEqual({
      ...known,
      durationSeconds: 0.25,
      requests: [],
      omittedRequests: 0,
      writes: 0,
      events: [],
      result: { type: 'requeueAfter', seconds: 60 },
    });
    expect(JSON.parse(JSON.stringify(ended[1]))).toEqual(ended[1]);
  });

  test.each<[string, Error, Record<string, unknown>]>([
    ['an error', new Error('no'), { kind: 'error', message: 'no', backoffSeconds: 0.005 }],
    ['a terminal error', new TerminalError('no'), { kind: 'terminal', message: 'no' }],
    [
      'a conflict',
      new ApiError({ code: 409, reason: 'Conflict', message: 'changed' }),
      { kind: 'conflict', message: 'changed', backoffSeconds: 0.005 },
    ],
  ])('say what %s means', async (_, error, result) => {
    const { ended } = recorder();
    const { controller, start } = controllerFixture(() => Promise.reject(error));
    start();
    controller.enqueue({ name: 'a' });
    await eventually(() => ended.length === 1);
    expect(ended[0]!.result).toEqual({ type: 'error', attempt: 1, ...result });
  });

  test('are of no use to a debugger that has come too late, or has left', async () => {
    const runs = gate();
    const { controller, start, observed } = controllerFixture(runs.reconcile);
    start();
    controller.enqueue({ name: 'a' });
    await eventually(() => runs.open.length === 1);
    const late = recorder();
    runs.open[0]!.finish();
    controller.enqueue({ name: 'b' });
    await eventually(() => late.started.length === 1);
    late.detach();
    late.detach();
    runs.open[0]!.finish();
    await eventually(() => observed.length === 4);
    expect(late.ended).toEqual([]);
  });

  test('a debugger that throws does not fail the operator, nor other debuggers', async () => {
    const fail = (): never => {
      throw new Error('bug of a tool');
    };
    attach({ started: fail, ended: fail, admit: fail });
    attach({ admit: () => Promise.reject(new Error('bug of a tool')) });
    const { ended } = recorder();
    const { controller, start, logged } = controllerFixture(async () => {});
    start();
    controller.enqueue({ name: 'a' });
    await eventually(() => ended.length === 1);
    expect(ended[0]!.result).toEqual({ type: 'done' });
    expect(logged('warn').map(({ msg }) => msg)).toEqual(Array.from({ length: 4 }, () => 'debugger threw'));
  });
});

describe('admission', () => {
  test('an object that is held does not occupy a worker, and runs once with all that has happened to it', async () => {
    const { held, asked } = holder();
    const runs = gate();
    const { controller, start } = controllerFixture(runs.reconcile);
    start();
    controller.enqueue({ name: 'a' });
    controller.enqueue({ name: 'b' });
    await eventually(() => held.size === 2);
    expect(states()).toEqual(['held a', 'held b']);
    expect(controller.busyWith).toBe('the controller test holds a, b for a debugger');
    held.get('b')!();
    await eventually(() => runs.names()[0] === 'b');
    controller.enqueue({ name: 'a' }, { priority: 7 });
    runs.open[0]!.finish();
    held.get('a')!();
    await eventually(() => runs.names()[0] === 'a');
    expect(states()).toEqual(['running a']);
    expect(items()[0]![0]).toMatchObject({ priority: 7, id: runs.open[0]!.context.reconcileId });
    runs.open[0]!.finish();
    await settled();
    expect([runs.open, controller.busyWith]).toEqual([[], undefined]);
    expect(asked.map(({ request }) => request.name)).toEqual(['a', 'b']);
    expect(asked[0]).toMatchObject({ controller: 'test', attempt: 1, reasons: [{ type: 'source' }] });
  });

  test('what was to run later runs with it, too', async () => {
    const { held } = holder();
    const { controller, clock, start, observed } = controllerFixture(async () => {});
    start();
    controller.enqueue({ name: 'a' });
    await eventually(() => held.size === 1);
    controller.enqueue({ name: 'a' }, { after: '1s' });
    held.get('a')!();
    await eventually(() => observed.length === 2);
    await clock.advance(1000);
    await settled();
    expect([observed.length, states()]).toEqual([2, []]);
  });

  test('a debugger that leaves admits what it holds', async () => {
    const { held, detach } = holder();
    const { controller, start, observed } = controllerFixture(async () => {});
    start();
    controller.enqueue({ name: 'a' });
    await eventually(() => held.size === 1);
    detach();
    await eventually(() => observed.length === 2);
    expect(states()).toEqual([]);
  });

  test('a stop does not wait for what is held', async () => {
    const { held } = holder();
    const { controller, start, observed } = controllerFixture(async () => {});
    const { stop } = start();
    controller.enqueue({ name: 'a' });
    await eventually(() => held.size === 1);
    await stop();
    held.get('a')!();
    await settled();
    expect([observed, queueSnapshots()]).toEqual([[], []]);
  });

  test('each reconcile asks again', async () => {
    const asked: string[] = [];
    attach({ admit: ({ request }) => void asked.push(request.name) });
    const { controller, start } = controllerFixture(async () => {});
    start();
    controller.enqueue({ name: 'a' });
    await eventually(() => asked.length === 1);
    controller.enqueue({ name: 'a' });
    await eventually(() => asked.length === 2);
    expect(asked).toEqual(['a', 'a']);
  });
});

test('a snapshot says what waits, for what, and until when', async () => {
  const runs = gate();
  const failing = new Set(['failed']);
  const { controller, clock, start } = controllerFixture(async (request, context) => {
    if (failing.has(request.name)) throw new Error('no');
    return request.name === 'later' ? { requeueAfter: '1h' } : runs.reconcile(request, context);
  });
  const { stop } = start();
  for (const name of ['failed', 'later', 'running']) controller.enqueue({ name });
  controller.enqueue({ name: 'channel', namespace: 'here' }, { after: '2h' });
  controller.enqueue({ name: 'endless' }, { after: 1e17 });
  await eventually(() => runs.open.length === 1);
  controller.enqueue({ name: 'waiting' });
  const time = (seconds: number): string => new Date(clock.epoch() + seconds * 1000).toISOString();
  const reasons = [{ type: 'source' }];
  expect(queueSnapshots()).toEqual([
    {
      controller: 'test',
      omitted: 0,
      items: [
        {
          name: 'running',
          state: 'running',
          since: time(0),
          priority: 0,
          id: runs.open[0]!.context.reconcileId,
          reasons,
        },
        { name: 'waiting', state: 'waiting', since: time(0), priority: 0, reasons },
        {
          name: 'failed',
          state: 'backoff',
          until: time(0.005),
          attempts: 1,
          priority: 0,
          reasons: [{ type: 'backoff', attempt: 1, error: 'no' }],
        },
        {
          name: 'later',
          state: 'requeue',
          until: time(3600),
          priority: 0,
          reasons: [{ type: 'requeue', afterSeconds: 3600 }],
        },
        { name: 'channel', namespace: 'here', state: 'delayed', until: time(7200), priority: 0, reasons },
        { name: 'endless', state: 'delayed', priority: 0, reasons },
      ],
    },
  ]);
  for (let index = 0; index < 1000; index += 1) controller.enqueue({ name: `n${index}` });
  expect(queueSnapshots()[0]).toMatchObject({ omitted: 6 });
  const stopped = stop();
  runs.open[0]!.finish();
  await stopped;
});
