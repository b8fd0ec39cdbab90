import { expect, test } from 'vitest';
import type { DevChange } from '../../../src/dev/model/dev-change.ts';
import type { DevState, ReconcileState } from '../../../src/dev/model/dev-state.ts';
import { PlainLines } from '../../../src/dev/terminal/plain-lines.ts';
import { RecordedClock, devState, errorLog, memcached, reconcile, warning } from './states.ts';

/** Lines about the changes of a session. */
function plainLines({ state = devState(), columns = 80, hasColors = false } = {}): {
  readonly lines: PlainLines;
  readonly clock: RecordedClock;
  readonly add: (...changes: DevChange[]) => void;
  /** What was printed since the last call. */
  readonly printed: () => string[];
} {
  const clock = new RecordedClock();
  let text = '';
  const write = (more: string): void => void (text += more);
  const now = (): Date => new Date(clock.epoch());
  const lines = new PlainLines(state, 'http://127.0.0.1:40124/k3/', clock, {
    now,
    columns,
    hasColors,
    write,
  });
  const printed = (): string[] => {
    const found = text.split('\n').slice(0, -1);
    text = '';
    return found;
  };
  const add = (...changes: DevChange[]): void => {
    for (const change of changes) lines.add(change);
  };
  return { lines, clock, add, printed };
}

/** Without the lines about the state at first. */
function laterLines(options: Parameters<typeof plainLines>[0] = {}): ReturnType<typeof plainLines> {
  const session = plainLines(options);
  session.printed();
  return session;
}

// oxlint-disable-next-line no-control-regex -- that is how they begin
const colorSequences = /\u001B\[\d+m/g;

const operator = (parts: Partial<DevState['operator']>): DevChange => ({
  type: 'operator',
  value: { ...devState().operator, ...parts },
});

test('a session begins with where the cluster and the page are, and how the operator gets ready', () => {
  const { cluster } = devState();
  const building = devState({
    operator: { ...devState().operator, phase: 'building', starts: 0 },
    cluster: { ...cluster, url: '' },
  });
  const { add, clock, printed } = plainLines({ state: building });
  add({ type: 'cluster', value: cluster });
  clock.advance(1000);
  add(operator({ phase: 'starting' }));
  clock.advance(812);
  add(operator({ phase: 'running' }), operator({ phase: 'running', pid: 7 }));
  expect(printed()).toEqual([
    '21:34:20 page       http://127.0.0.1:40124/k3/',
    '21:34:20 operator   building',
    '21:34:20 cluster    http://127.0.0.1:40123',
    '                    export KUBECONFIG=/tmp/ots-dev/kubeconfig',
    '21:34:21 operator   starting',
    '21:34:21 operator   ready in 812 ms',
  ]);
});

test('phases, pauses and jumps in time are lines', () => {
  const { add, printed } = laterLines();
  const { cluster } = devState();
  add(
    operator({ phase: 'broken' }),
    operator({ phase: 'crashed', isPaused: true }),
    operator({ phase: 'crashed', pausedObjects: ['memcached default/sample'] }),
    operator({ phase: 'crashed' }),
    { type: 'cluster', value: { ...cluster, ahead: 3600 } },
    { type: 'cluster', value: { ...cluster, ahead: 3610, snapshots: ['before'] } },
  );
  expect(printed().map((line) => line.slice(9))).toEqual([
    'operator   broken  the last good version still runs',
    'operator   crashed',
    'operator   paused: reconciles wait',
    'operator   resumed',
    'operator   paused memcached default/sample',
    'operator   resumed memcached default/sample',
    'cluster    time moved forward by 60 min',
    'cluster    snapshot before',
  ]);
});

test('an object is a line when its columns, conditions or deletion change, and otherwise not', () => {
  const { add, printed } = laterLines();
  const ready = {
    columns: [{ name: 'Ready', value: '3' }],
    conditions: [{ type: 'Available', status: 'True', reason: 'AllReady', message: 'all is well' }],
  };
  const pod = memcached({ uid: 'pod-1', apiVersion: 'v1', kind: 'Pod', owners: ['memcached-1'] });
  add(
    { type: 'object', value: memcached() },
    { type: 'object', value: memcached({ resourceVersion: '11' }) },
    { type: 'object', value: pod },
    { type: 'object', value: memcached(ready) },
    { type: 'object', value: memcached({ ...ready, deletedAt: 'now', finalizers: ['example.com/backup'] }) },
    { type: 'object', value: memcached({ ...ready, isGone: true }) },
    { type: 'object', value: memcached({ ...ready, isGone: true, resourceVersion: '12' }) },
  );
  expect(printed()).toEqual([
    '21:34:20 object     Memcached default/sample  Size 3  Ready 1',
    '                    Available=False Creating: 1 of 3 pods are ready',
    '21:34:20 object     Memcached default/sample  Ready 3  Available=True',
    '21:34:20 object     Memcached default/sample is being deleted, waits for example.com/backup',
    '                    Ready 3',
    '21:34:20 object     Memcached default/sample is gone',
  ]);
});

test('a reconcile is a line when it ends: result, writes, reasons', () => {
  const { add, printed } = laterLines();
  const { result: _, duration: __, ...running } = reconcile();
  const requests: ReconcileState['requests'] = [
    { verb: 'delete', resource: 'pods', code: 200, duration: 0, from: 'server' },
    { verb: 'delete', resource: 'pods', code: 200, duration: 0, from: 'server' },
    { verb: 'update', resource: 'memcacheds', code: 409, duration: 0, from: 'server' },
  ];
  add(
    { type: 'reconcile', value: running },
    { type: 'reconcile', value: reconcile() },
    {
      type: 'reconcile',
      value: reconcile({ requests, duration: 75, result: { outcome: 'requeue', after: 30 } }),
    },
    { type: 'reconcile', value: reconcile({ requests: [], reasons: ['timer', 'Pod default/a deleted'] }) },
  );
  expect(printed()).toEqual([
    '21:34:20 reconcile  memcached default/sample done in 34 ms',
    '                    applied deployments, memcacheds/status',
    '                    ← Memcached default/sample created',
    '21:34:20 reconcile  memcached default/sample done in 75 s, again in 30 s',
    '                    deleted 2 pods; updated memcacheds (409)',
    '                    ← Memcached default/sample created',
    '21:34:20 reconcile  memcached default/sample done in 34 ms  wrote nothing',
    '                    ← timer; Pod default/a deleted',
  ]);
});

test('a column that repeats a condition is not a change, and long reasons are cut', () => {
  const { add, printed } = laterLines();
  const available = (column: string): DevChange => ({
    type: 'object',
    value: memcached({
      columns: [{ name: 'Available', value: column }],
      conditions: [{ type: 'Available', status: 'True' }],
    }),
  });
  const reasons = [`Pod default/a updated: ${'status.conditions, '.repeat(20)}`];
  add(available('False'), available('True'), {
    type: 'reconcile',
    value: reconcile({ requests: [], reasons }),
  });
  expect(printed()).toEqual([
    '21:34:20 object     Memcached default/sample  Available=True',
    '21:34:20 reconcile  memcached default/sample done in 34 ms  wrote nothing',
    `                    ← Pod default/a updated: ${'status.conditions, '.repeat(5).trimEnd()}…`,
  ]);
});

test('an error is never cut, and the log does not repeat that of a reconcile', () => {
  const { add, printed } = laterLines();
  const error = `Deployment.apps "sample" is invalid: spec.template: ${'very '.repeat(60)}long`;
  const stack = `Error: ${error}\n    at apply (file:///home/me/node_modules/ots-runtime/src/a.js:1:2)\n    at MemcachedReconciler.reconcile (/home/me/op/src/controllers/memcached.controller.ts:31:5)`;
  add(
    { type: 'log', value: errorLog({ reconcile: 'a1', fields: { err: { message: error, stack } } }) },
    {
      type: 'reconcile',
      value: reconcile({ result: { outcome: 'error', error, attempt: 2, retryAfter: 0.01 } }),
    },
    {
      type: 'log',
      value: errorLog({
        message: 'metrics failed',
        fields: { err: { message: 'Port is in use', hint: 'Choose another.' } },
      }),
    },
    { type: 'log', value: errorLog({ level: 'info', message: 'leader elected' }) },
  );
  expect(printed()).toEqual([
    `21:34:20 error      reconcile failed; retrying: ${error}`,
    '                    at src/controllers/memcached.controller.ts:31:5',
    '21:34:20 reconcile  memcached default/sample failed in 34 ms (attempt 2, next in 10 ms)',
    '                    applied deployments, memcacheds/status',
    '                    ← Memcached default/sample created',
    '21:34:20 error      metrics failed: Port is in use  Choose another.',
  ]);
});

test('the error of a reconcile that comes before the log is not repeated in the log', () => {
  const { add, printed } = laterLines();
  const failed = reconcile({
    requests: [],
    reasons: [],
    result: { outcome: 'error', error: 'no quota', attempt: 1, retryAfter: 5 },
  });
  add(
    { type: 'reconcile', value: failed },
    { type: 'log', value: errorLog({ reconcile: 'a1', fields: { err: { message: 'no quota' } } }) },
  );
  expect(printed()).toEqual([
    '21:34:20 reconcile  memcached default/sample failed in 34 ms (attempt 1, next in 5 s)',
    '                    no quota  wrote nothing  ← reason unknown',
  ]);
});

test('warnings are lines, normal events are not; problems come with file and hint, and once', () => {
  const { add, printed } = laterLines();
  const problem = {
    source: 'types',
    message: "Cannot find name 'replica'",
    hint: 'Correct the name.',
    location: 'src/controllers/memcached.controller.ts:12:5',
  } as const;
  const other = { source: 'rights', message: 'The operator may not list pods' } as const;
  add(
    { type: 'event', value: warning({ count: 4 }) },
    { type: 'event', value: warning({ type: 'Normal' }) },
    { type: 'problems', value: [problem] },
    { type: 'problems', value: [problem, other] },
    { type: 'problems', value: [other] },
  );
  expect(printed()).toEqual([
    '21:34:20 warning    Pod default/sample-0',
    '                    BackOff: Back-off restarting failed container memcached',
    '                    4 times',
    '21:34:20 problem    src/controllers/memcached.controller.ts:12:5',
    "                    Cannot find name 'replica'  Correct the name.",
    '21:34:20 problem    The operator may not list pods',
    '21:34:20 solved     src/controllers/memcached.controller.ts:12:5',
    "                    Cannot find name 'replica'",
  ]);
});

test('a storm of reconciles is counted at the end of each second', () => {
  const { add, clock, lines, printed } = laterLines();
  const storm = (count: number): void => {
    for (let i = 0; i < count; i++) add({ type: 'reconcile', value: reconcile({ id: String(i) }) });
  };
  storm(224);
  add({ type: 'reconcile', value: reconcile({ controller: 'backup' }) });
  const before = printed().filter((line) => line.includes('reconcile  '));
  expect([before.length, before.at(-1)]).toEqual([
    11,
    '21:34:20 reconcile  backup default/sample done in 34 ms',
  ]);
  clock.advance(999);
  expect(printed()).toEqual([]);
  clock.advance(1);
  expect(printed()).toEqual(['21:34:21            … 214 more reconciles of memcached in 1 s']);
  storm(11);
  lines.stop();
  expect(printed().at(-1)).toBe('21:34:21            … 1 more reconcile of memcached in 1 s');
});

test('after a burst, the last state of each object and each different error is printed', () => {
  const { add, clock, printed } = laterLines();
  for (let ready = 0; ready <= 50; ready++) {
    const columns = [{ name: 'Ready', value: String(ready) }];
    // A condition that changes once in the burst.
    const conditions = ready < 20 ? [] : [{ type: 'Available', status: 'True' }];
    add({ type: 'object', value: memcached({ columns, conditions }) });
    const error = ready === 30 ? 'the quota is used up' : 'the server is down';
    const result = { outcome: 'error', error, attempt: 1, retryAfter: 1 } as const;
    add({ type: 'reconcile', value: reconcile({ id: String(ready), reasons: [], requests: [], result }) });
  }
  printed();
  clock.advance(1000);
  expect(printed().filter((line) => !line.startsWith(' '))).toEqual([
    '21:34:21            … 40 more changes of Memcached in 1 s',
    '21:34:21 object     Memcached default/sample  Ready 50  Available=True',
    '21:34:21            … 39 more failed reconciles of memcached in 1 s',
    '21:34:21 reconcile  memcached default/sample failed in 34 ms (attempt 1, next in 1 s)',
    '21:34:21 reconcile  memcached default/sample failed in 34 ms (attempt 1, next in 1 s)',
  ]);
});

test('text of the cluster cannot move the cursor, ring or break lines, and colors are ours alone', () => {
  const hostile = 'a\u001B[2J\u009B31m\nb\rc\u0007\u202Ed';
  const changes: DevChange[] = [
    { type: 'object', value: memcached({ name: hostile, columns: [{ name: hostile, value: hostile }] }) },
    { type: 'reconcile', value: reconcile({ name: hostile, reasons: [hostile] }) },
    { type: 'event', value: warning({ object: hostile, reason: hostile, message: hostile }) },
    { type: 'log', value: errorLog({ message: hostile, fields: { err: { message: hostile } } }) },
    { type: 'problems', value: [{ source: 'sources', message: hostile, hint: hostile, location: hostile }] },
  ];
  const { add, printed } = laterLines();
  add(...changes);
  const text = printed().join('');
  expect(text).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
  expect(text).toContain('a [2J 31m b c d');
  const colored = laterLines({ hasColors: true });
  colored.add(...changes);
  const rest = colored.printed().join('').replaceAll(colorSequences, '');
  expect(rest).toBe(text);
});
