import type { QueueItem, ReconcileRecord, RequestRecord } from 'ots-runtime/debugging';
import { expect, test } from 'vitest';
import { endedState, queueState, startedState } from '../../../src/dev/operator/reconcile-state.ts';

const at = '2026-11-23T21:34:20.000Z';

function record(parts: Partial<ReconcileRecord> = {}): ReconcileRecord {
  return {
    id: 'r1',
    controller: 'website',
    request: { namespace: 'default', name: 'shop' },
    attempt: 1,
    priority: 0,
    reasons: [{ type: 'requeue', afterSeconds: 60 }],
    queuedAt: at,
    startedAt: at,
    waitedSeconds: 0.5,
    durationSeconds: 0.25,
    requests: [],
    omittedRequests: 0,
    writes: 0,
    events: [],
    result: { type: 'done' },
    ...parts,
  };
}

const request = (parts: Partial<RequestRecord>): RequestRecord => ({
  verb: 'get',
  from: 'live',
  conflict: false,
  durationSeconds: 0.1,
  ...parts,
});

test('a reconcile that runs has no duration and no result', () => {
  expect(startedState(record())).toEqual({
    id: 'r1',
    controller: 'website',
    namespace: 'default',
    name: 'shop',
    reasons: ['requeueAfter 60 s'],
    startedAt: at,
    waited: 0.5,
    requests: [],
    events: [],
  });
});

test('events are named as in the cluster; one that was dropped has no name', () => {
  const announced = { type: 'Normal', reason: 'Made', kind: 'Website', name: 'shop' } as const;
  const event = { namespace: 'default', name: 'shop.1' };
  expect(endedState(record({ events: [{ ...announced, event }, announced] })).events).toEqual([
    'default/shop.1',
  ]);
});

test('an object of the cluster has no namespace', () => {
  expect(startedState(record({ request: { name: 'shop' } }))).not.toHaveProperty('namespace');
});

test.each<[ReconcileRecord['result'], object]>([
  [{ type: 'done' }, { outcome: 'done' }],
  [
    { type: 'requeueAfter', seconds: 60 },
    { outcome: 'requeue', after: 60 },
  ],
  [
    { type: 'error', kind: 'conflict', message: 'stale', attempt: 2, backoffSeconds: 0.01 },
    { outcome: 'error', error: 'stale', attempt: 2, retryAfter: 0.01 },
  ],
  [
    { type: 'error', kind: 'terminal', message: 'never', attempt: 1 },
    { outcome: 'error', error: 'never', attempt: 1 },
  ],
  [{ type: 'interrupted' }, { outcome: 'interrupted' }],
])('the result %j', (result, expected) => {
  expect(endedState(record({ result }))).toMatchObject({ duration: 0.25, result: expected });
});

test.each<[string, Partial<RequestRecord>, object]>([
  [
    'a read from the cache',
    { from: 'cache', group: 'apps', resource: 'deployments', namespace: 'default', name: 'shop' },
    { verb: 'get', resource: 'deployments.apps', namespace: 'default', name: 'shop', from: 'cache' },
  ],
  [
    'server-side apply of a subresource',
    {
      verb: 'patch',
      patch: 'apply',
      group: 'apps',
      resource: 'deployments',
      subresource: 'scale',
      status: 200,
    },
    { verb: 'apply', resource: 'deployments.apps/scale', from: 'server', code: 200 },
  ],
  [
    'another patch, of the core group',
    { verb: 'patch', patch: 'merge', group: '', resource: 'pods', status: 409 },
    { verb: 'patch', resource: 'pods', from: 'server', code: 409 },
  ],
  [
    'a path',
    { path: '/version', status: 200 },
    { verb: 'get', resource: '/version', from: 'server', code: 200 },
  ],
  ['a request without a response', { resource: 'pods' }, { verb: 'get', resource: 'pods', from: 'server' }],
])('the request: %s', (_, parts, expected) => {
  const [state] = endedState(record({ requests: [request(parts)] })).requests;
  expect(state).toEqual({ ...expected, duration: 0.1 });
});

test.each<[Partial<QueueItem>, object]>([
  [
    { state: 'held', since: at },
    { state: 'held', at },
  ],
  [
    { state: 'running', since: at, id: 'r1' },
    { state: 'running', at },
  ],
  [
    { state: 'waiting', since: at },
    { state: 'ready', at },
  ],
  [
    { state: 'backoff', until: at, attempts: 3 },
    { state: 'backoff', at },
  ],
  [
    { state: 'requeue', until: at },
    { state: 'requeue', at },
  ],
  [
    { state: 'delayed', until: at },
    { state: 'requeue', at },
  ],
  // Later than any date.
  [{ state: 'delayed' }, { state: 'requeue' }],
])('what waits: %j', (parts, expected) => {
  const item: QueueItem = { name: 'shop', priority: 0, reasons: [], state: 'held', ...parts };
  expect(queueState({ controller: 'website', kind: 'Website', items: [item], omitted: 0 })).toEqual({
    controller: 'website',
    kind: 'Website',
    entries: [{ name: 'shop', reasons: [], ...expected }],
  });
});

test('the queue of a controller that is for no kind has none', () => {
  expect(queueState({ controller: 'mirror', items: [], omitted: 0 })).toEqual({
    controller: 'mirror',
    entries: [],
  });
});
