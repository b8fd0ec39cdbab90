import type { Condition } from 'ots-kubernetes';
import type { DeploymentCondition } from 'ots-kubernetes/apps/v1';
import type { Job, JobCondition } from 'ots-kubernetes/batch/v1';
import type { PodCondition } from 'ots-kubernetes/core/v1';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { thing } from '../../test/thing.ts';
import type { DeepReadonly } from '../objects/deep-readonly.ts';
import { conditionTrue, conditionsOf } from './condition-true.ts';
import { findCondition, isConditionFalse, isConditionTrue } from './find-condition.ts';
import { removeCondition, setCondition } from './set-condition.ts';

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

describe('conditions of built-in kinds', () => {
  const now = new Date(Date.UTC(2026, 0, 1));

  test('of a Job are found and changed with their own type', () => {
    const job: DeepReadonly<Job> = {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'a' },
      status: { conditions: [{ type: 'Complete', status: 'True' }] },
    };
    const found = findCondition(job.status?.conditions, 'Complete');
    expectTypeOf(found).toEqualTypeOf<DeepReadonly<JobCondition> | undefined>();
    expect(found?.status).toBe('True');
    expect(isConditionTrue(job.status?.conditions, 'Complete')).toBe(true);
    expect(isConditionFalse(job.status?.conditions, 'Complete')).toBe(false);
    const failed = setCondition(
      job.status?.conditions,
      { type: 'Failed', status: 'True', reason: 'Late' },
      now,
    );
    expectTypeOf(failed).toExtend<JobCondition[]>();
    expect(failed).toEqual([
      { type: 'Complete', status: 'True' },
      { type: 'Failed', status: 'True', reason: 'Late', lastTransitionTime: '2026-01-01T00:00:00Z' },
    ]);
    expect(removeCondition(failed, 'Complete')).toHaveLength(1);
    expectTypeOf(removeCondition(failed, 'Complete')).toExtend<JobCondition[]>();
    // @ts-expect-error conditions of Jobs have no such field
    setCondition(job.status?.conditions, { type: 'Failed', status: 'True', observedGeneration: 1 });
  });

  test('of a Pod and of a Deployment, too', () => {
    const gate: PodCondition = { type: 'example.com/ready', status: 'False' };
    expectTypeOf(setCondition([gate], { ...gate, status: 'True', observedGeneration: 2 })).toEqualTypeOf<
      PodCondition[]
    >();
    const [changed] = setCondition([gate], { ...gate, status: 'True', observedGeneration: 2 }, now);
    expect(changed).toEqual({
      type: 'example.com/ready',
      status: 'True',
      observedGeneration: 2,
      lastTransitionTime: '2026-01-01T00:00:00Z',
    });
    const progressing: DeploymentCondition = { type: 'Progressing', status: 'True', lastUpdateTime: 'then' };
    expect(isConditionTrue([progressing], 'Progressing')).toBe(true);
    expect(setCondition([progressing], { ...progressing, lastUpdateTime: 'now' }, now)).toEqual([
      { ...progressing, lastUpdateTime: 'now', lastTransitionTime: '2026-01-01T00:00:00Z' },
    ]);
  });

  test('of a custom kind are complete, and a union of condition types is checked', () => {
    const update = { type: 'Ready', status: 'True', reason: 'Here', message: '' } as const;
    expectTypeOf(setCondition(undefined, update)).toEqualTypeOf<Condition[]>();
    // @ts-expect-error a reason is required
    setCondition(undefined, { type: 'Ready', status: 'True', message: '' });
    const own: { type: 'Ready' | 'Degraded'; status: 'True' | 'False' }[] = [
      { type: 'Ready', status: 'True' },
    ];
    expect(isConditionTrue(own, 'Ready')).toBe(true);
    // @ts-expect-error no such type
    expect(isConditionTrue(own, 'Raedy')).toBe(false);
  });
});
