import type { Condition } from 'ots-kubernetes';
import { describe, expect, test } from 'vitest';
import { thing } from '../../test/thing.ts';
import { conditionTrue, conditionsOf } from './condition-true.ts';
import { findCondition, isConditionFalse, isConditionTrue } from './find-condition.ts';
import { removeCondition } from './remove-condition.ts';

const condition = (type: string, status: Condition['status'], observedGeneration?: number): Condition => ({
  type,
  status,
  reason: 'Because',
  message: '',
  lastTransitionTime: '2026-01-01T00:00:00Z',
  ...(observedGeneration !== undefined && { observedGeneration }),
});

const conditions = [
  condition('Ready', 'True'),
  condition('Degraded', 'False'),
  condition('Known', 'Unknown'),
];

test('a condition is found by its type', () => {
  expect(findCondition(conditions, 'Degraded')).toBe(conditions[1]);
  expect(findCondition(conditions, 'Other')).toBeUndefined();
  expect(findCondition(undefined, 'Ready')).toBeUndefined();
});

test.each([
  ['Ready', true, false],
  ['Degraded', false, true],
  ['Known', false, false],
  ['Other', false, false],
])('%s: true %s, false %s', (type, isTrue, isFalse) => {
  expect(isConditionTrue(conditions, type)).toBe(isTrue);
  expect(isConditionFalse(conditions, type)).toBe(isFalse);
});

test('a condition is removed without touching the others', () => {
  expect(removeCondition(conditions, 'Ready')).toEqual(conditions.slice(1));
  expect(removeCondition(conditions, 'Other')).toEqual(conditions);
  expect(removeCondition(undefined, 'Ready')).toEqual([]);
  expect(conditions).toHaveLength(3);
});

describe('conditionTrue', () => {
  const object = (
    generation: number,
    ready: Condition,
    observedGeneration?: number,
  ): ReturnType<typeof thing> => {
    const status = { conditions: [ready], ...(observedGeneration && { observedGeneration }) };
    return Object.assign(thing('a'), { metadata: { name: 'a', generation }, status });
  };
  const isReady = conditionTrue('Ready');

  test.each<[string, boolean, Parameters<typeof object>]>([
    ['no generation at all', true, [3, condition('Ready', 'True')]],
    ['the present generation', true, [3, condition('Ready', 'True', 3)]],
    ['an earlier generation', false, [3, condition('Ready', 'True', 2)]],
    ['a status of an earlier generation', false, [3, condition('Ready', 'True'), 2]],
    ['a status of the present generation', true, [3, condition('Ready', 'True'), 3]],
    ['another status', false, [3, condition('Ready', 'False', 3)]],
  ])('with %s: %s', (_, holds, given) => {
    expect(isReady(object(...given))).toBe(holds);
  });

  test('is false without conditions, without a status and without an object', () => {
    expect(isReady(thing('a'))).toBe(false);
    expect(isReady(undefined)).toBe(false);
    expect(isReady({ ...thing('a'), status: { conditions: { Ready: 'True' } } } as never)).toBe(false);
    expect(conditionsOf(undefined)).toEqual([]);
    expect(conditionsOf(object(1, conditions[0]!))).toEqual([conditions[0]]);
  });
});
