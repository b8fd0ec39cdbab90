import { expect, test } from 'vitest';
import { setCondition } from './set-condition.ts';

const ready = { type: 'Ready', status: 'False', reason: 'Starting', message: '' } as const;
const at = (seconds: number): Date => new Date(Date.UTC(2026, 0, 1, 0, 0, seconds, 500));

test('a new condition is appended, with the time', () => {
  const other = { ...ready, type: 'Other', lastTransitionTime: 'then' };
  expect(setCondition([other], ready, at(1))).toEqual([
    other,
    { ...ready, lastTransitionTime: '2026-01-01T00:00:01Z' },
  ]);
  expect(setCondition(undefined, ready, at(1))).toHaveLength(1);
});

test('the time changes with the status and with nothing else', () => {
  const first = setCondition(undefined, ready, at(1));
  const second = setCondition(first, { ...ready, reason: 'Waiting', observedGeneration: 2 }, at(2));
  expect(second).toEqual([
    { ...ready, reason: 'Waiting', observedGeneration: 2, lastTransitionTime: '2026-01-01T00:00:01Z' },
  ]);
  const third = setCondition(second, { ...ready, status: 'True' }, at(3));
  expect(third).toEqual([{ ...ready, status: 'True', lastTransitionTime: '2026-01-01T00:00:03Z' }]);
  expect(first[0]!.status).toBe('False');
});

test('an explicit time is used when the status changes', () => {
  const [condition] = setCondition(
    undefined,
    { ...ready, lastTransitionTime: '2020-01-01T00:00:00Z' },
    at(1),
  );
  expect(condition!.lastTransitionTime).toBe('2020-01-01T00:00:00Z');
});
