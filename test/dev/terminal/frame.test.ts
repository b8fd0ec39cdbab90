import { expect, test } from 'vitest';
import type { DevState } from '../../../src/dev/model/dev-state.ts';
import { type View, frame } from '../../../src/dev/terminal/frame/frame.ts';
import { renderLine, textOf } from '../../../src/dev/terminal/line.ts';
import { widthOf } from '../../../src/dev/terminal/width.ts';
import { ago, busyState, devState, errorLog, memcached, reconcile, recordedAt, warning } from './states.ts';

const keys = ['o page', 'r restart', 'k kubeconfig', 'p pause', '? help', 'q quit'].map((text) => ({
  key: text.slice(0, 1),
  short: text.slice(2),
  text,
}));

function viewOf(view: Partial<View> = {}): View {
  const pageUrl = 'http://127.0.0.1:40124/k3/';
  return { columns: 80, rows: 24, now: recordedAt, pageUrl, keys, isHelp: false, ...view };
}

/** What a frame shows, without blanks at the ends of rows. */
function rowsOf(state: DevState, view: Partial<View> = {}): string[] {
  return frame(state, viewOf(view)).map((line) => textOf(line).trimEnd());
}

const problem = {
  source: 'types',
  message: "Property 'sise' does not exist on type 'MemcachedSpec'. Did you mean 'size'?",
  hint: 'Correct the file.',
  location: 'src/controllers/memcached.controller.ts:31:24',
} as const;

function broken(parts: Partial<DevState> = {}): DevState {
  return busyState({ problems: [problem], operator: { ...devState().operator, phase: 'broken' }, ...parts });
}

test('a frame at 80 columns and 24 rows has all that matters', () => {
  expect(rowsOf(busyState())).toEqual([
    'memcached-operator  ● running',
    'page http://127.0.0.1:40124/k3/  cluster http://127.0.0.1:40123',
    '',
    'OBJECTS  6',
    'Memcached default/sample    Size 3  Ready 1                                  90s',
    '│ Available=False Creating: 1 of 3 pods are ready',
    '└ Deployment sample         Ready 1/3  Up-to-date 3  Available 1             89s',
    '  └ ReplicaSet sample-5d8f  Desired 3  Ready 1                               88s',
    '    ├ Pod sample-5d8f-a     Status Running  Ready 1/1  Restarts 0            87s',
    '    ├ Pod sample-5d8f-b     Status CrashLoopBackOff  Ready 0/1  Restarts 4   87s',
    '    └ Pod sample-5d8f-c     Status Pending  Ready 0/1  Restarts 0            87s',
    'RECONCILES  1 due later',
    '21:34:16 ↻ default/sample  34 ms, again in 30 s  applied deployments, memcached…',
    '           ← Deployment default/sample updated: status.readyReplicas',
    '21:34:08 ✗ default/sample  34 ms, attempt 1, next in 10 ms  wrote nothing',
    '           Deployment.apps "sample" is invalid: spec.replicas: Invalid value:',
    '           -1: must be greater than or equal to 0',
    '           at src/controllers/memcached.controller.ts:31:5',
    '           ← Memcached default/sample updated: spec.size',
    'EVENTS AND ERRORS',
    '21:34:17 ! BackOff ×4  Pod default/sample-5d8f-b: Back-off restarting failed co…',
    '21:34:00 ✗ metrics failed: Port is in use',
    '21:33:20   Scheduled  Pod default/sample-0: Assigned default/sample-5d8f-b to n…',
    'o page  r restart  k kubeconfig  p pause  ? help  q quit',
  ]);
});

test('a problem comes first, with file and hint, and the tree makes room', () => {
  expect(rowsOf(broken()).slice(0, 12)).toEqual([
    'memcached-operator  ● broken  the last good version still runs',
    'page http://127.0.0.1:40124/k3/  cluster http://127.0.0.1:40123',
    '',
    'PROBLEMS',
    '✗ src/controllers/memcached.controller.ts:31:24',
    "  Property 'sise' does not exist on type 'MemcachedSpec'. Did you mean 'size'?",
    '  → Correct the file.',
    'OBJECTS  6',
    'Memcached default/sample    Size 3  Ready 1  Available=False                 90s',
    '└ Deployment sample         Ready 1/3  Up-to-date 3  Available 1             89s',
    '  └ ReplicaSet sample-5d8f  Desired 3  Ready 1  +3 objects                   88s',
    'RECONCILES  1 due later',
  ]);
});

test('each line of a problem is a row, so a rule is in one piece', () => {
  const rule = '@rbac groups=core resources=pods verbs=get;list;watch';
  const problems = [
    { source: 'rights', message: `The operator was denied what this rule grants:\n${rule}` },
  ] as const;
  expect(rowsOf(busyState({ problems })).slice(3, 6)).toEqual([
    'PROBLEMS',
    '✗ The operator was denied what this rule grants:',
    `  ${rule}`,
  ]);
});

test('at 40 columns and 10 rows the problem, the objects and the last reconcile are there', () => {
  expect(rowsOf(broken(), { columns: 40, rows: 10 })).toEqual([
    'memcached-operator  ● broken',
    '✗ src/controllers/memcached.controller.t',
    '  s:31:24',
    "  Property 'sise' does not exist on type",
    '… 2 more',
    'Memcached default/sa… Size 3  Ready 1',
    '└ Deployment sample   Ready 1/3',
    '  └ ReplicaSet sampl… Desired 3  Ready 1',
    '21:34:16 ↻ default/sample  34 ms, again…',
    'o page  r restart  ? help  q quit',
  ]);
});

test('at 120 columns, a reconcile with its reason is one row, and sections are apart', () => {
  const rows = rowsOf(busyState(), { columns: 120, rows: 30 });
  expect(rows).toContain(
    '21:33:50 ✓ default/sample  34 ms  applied deployments, memcacheds/status  ← Memcached default/sample created',
  );
  expect(rows.slice(10, 13)).toEqual([
    '    └ Pod sample-5d8f-c     Status Pending  Ready 0/1  Restarts 0' + ' '.repeat(52) + '87s',
    '',
    'RECONCILES  1 due later',
  ]);
  expect(rows.length).toBe(30);
});

test('a session that begins says what to do next', () => {
  const { cluster, operator } = devState();
  const state = devState({ operator: { ...operator, phase: 'building' }, cluster: { ...cluster, url: '' } });
  expect(rowsOf(state).slice(0, 8)).toEqual([
    'memcached-operator  ● building',
    'page http://127.0.0.1:40124/k3/',
    '',
    'OBJECTS',
    'none yet: create one with kubectl, or press a to apply the samples',
    '',
    'RECONCILES',
    'none yet',
  ]);
});

test('the header says what is paused, how far time is ahead and how often the operator started', () => {
  const { cluster, operator } = devState();
  const state = devState({
    cluster: { ...cluster, ahead: 7200 },
    operator: { ...operator, starts: 3, pausedObjects: ['memcached default/sample'] },
  });
  expect(rowsOf(state)[0]).toBe('memcached-operator  ● running  paused: memcached default/sample  time +2 h');
  const all = devState({ operator: { ...operator, starts: 3, isPaused: true } });
  expect(rowsOf(all)[0]).toBe('memcached-operator  ● running  paused: all reconciles  3 starts');
});

test('ages are those of the cluster, whose time may be ahead', () => {
  const state = devState({
    cluster: { ...devState().cluster, ahead: 3600 * 5 },
    objects: { 'memcached-1': memcached() },
  });
  expect(rowsOf(state)[4]).toMatch(/ 5h1m$/);
});

test('an object that is deleted or gone says so', () => {
  const objects = {
    a: memcached({
      uid: 'a',
      name: 'a',
      deletedAt: ago(1),
      finalizers: ['example.com/dump'],
      conditions: [],
    }),
    b: memcached({ uid: 'b', name: 'b', isGone: true }),
  };
  expect(rowsOf(devState({ objects })).slice(4, 6)).toEqual([
    'Memcached default/a  deleting, waits for example.com/dump  Size 3  Ready 1   90s',
    'Memcached default/b  gone                                                    90s',
  ]);
});

test('objects whose owners own each other, or are unknown, are in the tree once', () => {
  const objects = {
    a: memcached({ uid: 'a', name: 'a', owners: ['b'], conditions: [] }),
    b: memcached({ uid: 'b', name: 'b', owners: ['a'], conditions: [] }),
    c: memcached({ uid: 'c', name: 'c', owners: ['unknown', 'a'], conditions: [] }),
    d: memcached({ uid: 'd', name: 'd', owners: ['d'], conditions: [] }),
  };
  expect(
    rowsOf(devState({ objects }))
      .slice(4, 9)
      .map((row) => row.slice(0, 21).trimEnd()),
  ).toEqual(['Memcached default/d', 'Memcached default/a', '├ Memcached b', '└ Memcached c', '']);
});

test('of more objects than rows, those that need attention come first and the others are counted', () => {
  const objects = Object.fromEntries(
    Array.from({ length: 500 }, (_, i) => {
      const conditions = i === 300 ? memcached().conditions : [];
      return [`${i}`, memcached({ uid: `${i}`, name: `m-${i}`, conditions })];
    }),
  );
  const rows = rowsOf(devState({ objects }));
  expect(rows.slice(4, 7).map((row) => row.slice(0, 47).trimEnd())).toEqual([
    'Memcached default/m-300  Size 3  Ready 1  Avail',
    'Memcached default/m-0    Size 3  Ready 1',
    'Memcached default/m-1    Size 3  Ready 1',
  ]);
  expect(rows.filter((row) => row.startsWith('… '))).toEqual(['… 484 more objects']);
  expect(rowsOf(devState({ objects }), { rows: Infinity }).length).toBeLessThan(220);
});

test('equal reconciles in a row are one with a count, one that runs says since when', () => {
  const error = { outcome: 'error', error: 'the server is down', attempt: 1, retryAfter: 1 } as const;
  const { result: _, duration: __, ...running } = reconcile({ id: 'r', startedAt: ago(3.4), reasons: [] });
  const reconciles = [
    reconcile({ controller: 'backup' }),
    ...[1, 2, 3].map((id) => reconcile({ id: `${id}`, requests: [], result: error })),
    running,
  ];
  expect(rowsOf(devState({ reconciles })).slice(6, 13)).toEqual([
    'RECONCILES',
    '21:34:16 … memcached default/sample  runs for 3 s  ← reason unknown',
    '21:34:15 ✗ memcached default/sample ×3  34 ms, attempt 1, next in 1 s  wrote no…',
    '           the server is down',
    '           ← Memcached default/sample created',
    '21:34:15 ✓ backup default/sample  34 ms  applied deployments, memcacheds/status',
    '           ← Memcached default/sample created',
  ]);
});

test('attempts that fail in the same way are one, with the place that only the first log line has', () => {
  const message = 'not today';
  const stack = `Error: not today\n    at reconcile (/op/src/controllers/memcached.controller.ts:52:26)`;
  const attempts = [1, 2, 3].map((attempt) =>
    reconcile({
      id: `a${attempt}`,
      requests: [],
      reasons:
        attempt === 1 ? ['Memcached default/sample created'] : [`attempt ${attempt - 1} failed: ${message}`],
      result: { outcome: 'error', error: message, attempt, retryAfter: attempt },
    }),
  );
  const logs = attempts.map(({ id: reconcileId }, index) =>
    errorLog({ reconcile: reconcileId, fields: { err: index === 0 ? { message, stack } : message } }),
  );
  expect(rowsOf(devState({ reconciles: attempts, logs })).slice(6, 16)).toEqual([
    'RECONCILES',
    '21:34:15 ✗ default/sample ×2  34 ms, attempt 3, next in 3 s  wrote nothing',
    '           not today',
    '           at src/controllers/memcached.controller.ts:52:26',
    '           ← attempt 2 failed: not today',
    '21:34:15 ✗ default/sample  34 ms, attempt 1, next in 1 s  wrote nothing',
    '           not today',
    '           at src/controllers/memcached.controller.ts:52:26',
    '           ← Memcached default/sample created',
    '',
  ]);
});

test('a reconcile that is not tried again, or that the operator did not finish, says so', () => {
  const reconciles = [
    reconcile({ result: { outcome: 'interrupted' } }),
    reconcile({ result: { outcome: 'error', error: 'spec.size is wrong', attempt: 1 } }),
  ];
  expect(rowsOf(devState({ reconciles })).slice(7, 11)).toEqual([
    '21:34:15 ✗ default/sample  34 ms, attempt 1, not tried again  applied deploymen…',
    '           spec.size is wrong',
    '           ← Memcached default/sample created',
    '21:34:15 – default/sample  34 ms, interrupted  applied deployments, memcacheds/…',
  ]);
});

test('what says little takes little room: a reconcile without writes, a column that is a condition, normal events', () => {
  const reasons = [`Pod default/sample-0 updated: ${'status.conditions '.repeat(9)}`];
  const conditions = [{ type: 'Available', status: 'True' }];
  const columns = [
    { name: 'Available', value: 'True' },
    { name: 'Size', value: '3' },
  ];
  const state = devState({
    objects: { 'memcached-1': memcached({ columns, conditions }) },
    reconciles: [reconcile({ requests: [], reasons })],
    events: [5, 4, 3, 2, 1].map((i) =>
      warning({ at: ago(i), type: 'Normal', reason: `Pulled${i}`, message: '' }),
    ),
  });
  expect(rowsOf(state).slice(4, 13)).toEqual([
    'Memcached default/sample  Size 3  Available=True                             90s',
    '',
    'RECONCILES',
    '21:34:15 ✓ default/sample  34 ms  wrote nothing  ← Pod default/sample-0 updated…',
    '',
    'EVENTS AND ERRORS',
    '21:34:19   Pulled1  Pod default/sample-0:',
    '21:34:18   Pulled2  Pod default/sample-0:',
    '21:34:17   Pulled3  Pod default/sample-0:',
  ]);
});

test('what waits is counted beside the title of the reconciles', () => {
  const entry = { name: 'a', reasons: [] };
  const states = ['running', 'ready', 'ready', 'held', 'backoff'] as const;
  const queues = [{ controller: 'memcached', entries: states.map((state) => ({ ...entry, state })) }];
  expect(rowsOf(devState({ queues }))[6]).toBe('RECONCILES  2 waiting, 1 held, 1 in backoff');
});

test('a frame that is printed once has everything', () => {
  const rows = rowsOf(broken(), { rows: Infinity, keys: [] });
  expect(rows.filter((row) => row === '').length).toBe(4);
  expect(rows).toContain('    └ Pod sample-5d8f-c     Status Pending  Ready 0/1  Restarts 0            87s');
  expect(rows.at(-1)).toContain('Scheduled');
});

test('a choice shows the rows around what is selected', () => {
  const entries = Array.from({ length: 100 }, (_, i) => ({ text: `memcached default/m-${i}`, note: '' }));
  const choice = { title: 'Pause', entries, selected: 50 };
  const rows = rowsOf(devState(), { rows: 11, choice });
  expect([rows.length, rows[1], rows.filter((row) => row.startsWith('❯'))]).toEqual([
    11,
    'Pause',
    ['❯   memcached default/m-50'],
  ]);
});

const sizes = [
  [80, 24],
  [40, 10],
  [120, 50],
  [20, 5],
  [3, 1],
] as const;

test.each(sizes)(
  'at %i columns and %i rows, every frame fits, whatever the cluster contains',
  (columns, rows) => {
    const hostile = 'a\u001B[2J\u009B31m\n日本🚀\r\u0007\u202E' + '長'.repeat(100);
    const objects = {
      h: memcached({ uid: 'h', name: hostile, columns: [{ name: hostile, value: hostile }] }),
    };
    const state = broken({
      project: hostile,
      objects: { ...busyState().objects, ...objects },
      reconciles: [
        reconcile({ name: hostile, reasons: [hostile] }),
        reconcile({ result: { outcome: 'error', error: hostile, attempt: 1, retryAfter: 1 } }),
      ],
      events: [warning({ object: hostile, reason: hostile, message: hostile })],
      logs: [errorLog({ message: hostile, fields: { err: { message: hostile } } })],
      problems: [{ source: 'types', message: hostile, hint: hostile, location: hostile }],
    });
    const choice = { title: hostile, entries: [{ text: hostile, note: hostile }], selected: 0 };
    for (const part of [{}, { isHelp: true }, { choice }, { notice: { text: hostile, isError: true } }]) {
      const lines = frame(state, viewOf({ columns, rows, ...part }));
      expect(lines.length).toBe(rows);
      for (const line of lines) {
        const text = textOf(line);
        expect(text).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u);
        expect(widthOf(text)).toBeLessThanOrEqual(columns);
        // oxlint-disable-next-line no-control-regex -- the sequences of colors are all that colors may add
        expect(renderLine(line, true).replaceAll(/\u001B\[\d+m/g, '')).toBe(text);
      }
    }
  },
);
