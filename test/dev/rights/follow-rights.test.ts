import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { RecordedRequest } from 'ots-apiserver';
import { FollowRights } from '../../../src/dev/rights/follow-rights.ts';
import { DevStore } from '../../../src/dev/store/dev-store.ts';
import { emptyState } from '../empty-state.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const denied = (resource: string): RecordedRequest => ({
  verb: 'get',
  group: '',
  resource,
  subresource: '',
  namespace: 'default',
  name: 'a',
  path: '',
  user: 'operator',
  code: 403,
  milliseconds: 1,
  dryRun: false,
  annotations: { 'authorization.k8s.io/decision': 'forbid' },
});

function setUp() {
  const store = new DevStore(emptyState);
  const changes: string[] = [];
  store.subscribe(({ type }) => changes.push(type));
  return { store, changes, rights: new FollowRights(store) };
}

test('requests of one moment change the rights once, and each missing rule is a problem', () => {
  const { store, changes, rights } = setUp();
  rights.add(denied('pods'));
  rights.add(denied('pods'));
  rights.add(denied('secrets'));
  expect(changes).toEqual([]);
  vi.advanceTimersByTime(1000);
  expect(changes).toEqual(['rights', 'problems']);
  expect(store.state.rights.missing.map(({ count }) => count)).toEqual([2, 1]);
  expect(store.state.problems.map(({ source, message }) => [source, message.split(/\s/).at(-2)])).toEqual([
    ['rights', 'resources=pods'],
    ['rights', 'resources=secrets'],
  ]);
});

test('after the end, nothing changes', () => {
  const { changes, rights } = setUp();
  rights.add(denied('pods'));
  rights.stop();
  vi.advanceTimersByTime(1000);
  expect(changes).toEqual([]);
});
