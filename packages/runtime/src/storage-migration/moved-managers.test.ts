import type { ManagedFieldsEntry } from 'ots-kubernetes';
import { expect, test } from 'vitest';
import { movedManagers } from './moved-managers.ts';

const entry = (
  manager: string,
  apiVersion: string,
  fieldsV1: Record<string, unknown>,
  more: Partial<ManagedFieldsEntry> = {},
): ManagedFieldsEntry => ({
  manager,
  operation: 'Update',
  apiVersion,
  fieldsType: 'FieldsV1',
  fieldsV1,
  ...more,
});

test('managers of other versions of the group move, and those of other groups stay', () => {
  const size = { 'f:spec': { 'f:size': {} } };
  const scale = entry('hpa', 'autoscaling/v1', size, { subresource: 'scale' });
  expect(
    movedManagers(
      [entry('a', 'example.com/v1', size), scale, entry('b', 'example.com/v2', size)],
      'example.com/v2',
    ),
  ).toEqual([entry('a', 'example.com/v2', size), scale, entry('b', 'example.com/v2', size)]);
});

test('without managers of other versions nothing changes', () => {
  expect(movedManagers(undefined, 'example.com/v2')).toBeUndefined();
  expect(movedManagers([entry('a', 'example.com/v2', {})], 'example.com/v2')).toBeUndefined();
  expect(movedManagers([entry('a', 'other.example.com/v1', {})], 'example.com/v2')).toBeUndefined();
});

test('a manager of both versions owns the fields of both, since the later time', () => {
  const one = { 'f:spec': { '.': {}, 'f:size': {} } };
  const other = { 'f:metadata': { 'f:labels': { 'f:a': {} } }, 'f:spec': { 'f:text': {} } };
  const both = [
    entry('a', 'example.com/v1', one, { time: '2026-01-02T00:00:00Z' }),
    entry('a', 'example.com/v2', other, { time: '2026-01-01T00:00:00Z' }),
  ];
  const joined = {
    'f:metadata': { 'f:labels': { 'f:a': {} } },
    'f:spec': { '.': {}, 'f:size': {}, 'f:text': {} },
  };
  const expected = [entry('a', 'example.com/v2', joined, { time: '2026-01-02T00:00:00Z' })];
  expect(movedManagers(both, 'example.com/v2')).toEqual(expected);
  expect(movedManagers(both.toReversed(), 'example.com/v2')).toEqual(expected);
});

test('an apply, an update and an update of the status of one manager stay apart', () => {
  const entries = [
    entry('a', 'example.com/v1', {}),
    entry('a', 'example.com/v1', {}, { operation: 'Apply' }),
    entry('a', 'example.com/v1', {}, { subresource: 'status' }),
  ];
  expect(movedManagers(entries, 'example.com/v2')).toHaveLength(3);
});
