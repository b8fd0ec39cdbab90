import { expect, test } from 'vitest';
import { applyChange, limits } from '../../src/dev/model/apply-change.ts';
import type { DevChange } from '../../src/dev/model/dev-change.ts';
import type { DevState } from '../../src/dev/model/dev-state.ts';
import { emptyState } from './empty-state.ts';
import { errorLog, memcached, reconcile, warning } from './terminal/states.ts';

const after = (...changes: DevChange[]): DevState => changes.reduce(applyChange, emptyState);

test('an object replaces the one with the same uid, until it is forgotten', () => {
  const changes: DevChange[] = [
    { type: 'object', value: memcached({ uid: 'a' }) },
    { type: 'object', value: memcached({ uid: 'b' }) },
    { type: 'object', value: memcached({ uid: 'a', isGone: true }) },
  ];
  expect(Object.values(after(...changes).objects).map(({ uid, isGone }) => [uid, isGone])).toEqual([
    ['a', true],
    ['b', false],
  ]);
  expect(Object.keys(after(...changes, { type: 'forget', value: 'a' }).objects)).toEqual(['b']);
});

test('a reconcile replaces the one with the same id, in its place', () => {
  const { reconciles } = after(
    { type: 'reconcile', value: reconcile({ id: 'a' }) },
    { type: 'reconcile', value: reconcile({ id: 'b' }) },
    { type: 'reconcile', value: reconcile({ id: 'a', duration: 7 }) },
  );
  expect(reconciles.map(({ id, duration }) => [id, duration])).toEqual([
    ['a', 7],
    ['b', 0.034],
  ]);
});

test('an event that repeats is the last one again', () => {
  const { events } = after(
    { type: 'event', value: warning({ name: 'default/a' }) },
    { type: 'event', value: warning({ name: 'default/b' }) },
    { type: 'event', value: warning({ name: 'default/a', count: 2 }) },
  );
  expect(events.map(({ name, count }) => [name, count])).toEqual([
    ['default/b', 1],
    ['default/a', 2],
  ]);
});

test('of each part, the last ones are kept', () => {
  const many = (length: number, change: (n: number) => DevChange) =>
    after(...Array.from({ length }, (_, n) => change(n)));
  const { logs } = many(limits.logs + 2, (n) => ({ type: 'log', value: errorLog({ message: `${n}` }) }));
  expect([logs.length, logs[0]?.message]).toEqual([limits.logs, '2']);
  const { events } = many(limits.events + 2, (n) => ({ type: 'event', value: warning({ name: `${n}` }) }));
  expect([events.length, events[0]?.name]).toEqual([limits.events, '2']);
  const { reconciles } = many(limits.reconciles + 2, (n) => ({
    type: 'reconcile',
    value: reconcile({ id: `${n}` }),
  }));
  expect([reconciles.length, reconciles[0]?.id]).toEqual([limits.reconciles, '2']);
});

test('a part that does not change stays the same', () => {
  const before = after({ type: 'object', value: memcached() });
  const { logs: _, ...others } = applyChange(before, { type: 'log', value: errorLog() });
  for (const [part, value] of Object.entries(others)) expect(value).toBe(before[part as keyof DevState]);
});
