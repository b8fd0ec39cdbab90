import { expect, test } from 'vitest';
import { InvalidKindError } from './invalid-kind-error.ts';
import { defineKind } from './kind.ts';
import type { KubernetesObject } from './kubernetes-object.ts';

const good = {
  apiVersion: 'batch.example.com/v1',
  kind: 'JobWatcher',
  plural: 'jobwatchers',
  scope: 'Namespaced',
} as const;

test('a kind knows its group and version', () => {
  expect(defineKind(good)).toStrictEqual({ ...good, group: 'batch.example.com', version: 'v1' });
  expect(defineKind({ ...good, apiVersion: 'v1' })).toMatchObject({ group: '', version: 'v1' });
});

test('a kind cannot be changed', () => {
  const kind = defineKind<KubernetesObject>(good);
  expect(() => Object.assign(kind, { plural: 'others' })).toThrow(TypeError);
});

test.each([
  ['apiVersion', '', 'apiVersion ""'],
  ['apiVersion', 'a/b/c', 'apiVersion "a/b/c"'],
  ['apiVersion', '/v1', 'apiVersion "/v1"'],
  ['apiVersion', 'Batch.example.com/v1', 'apiVersion "Batch.example.com/v1"'],
  ['apiVersion', 'batch.example.com/', 'apiVersion "batch.example.com/"'],
  ['apiVersion', undefined, 'apiVersion undefined'],
  ['kind', 'jobWatcher', 'kind "jobWatcher"'],
  ['kind', 'Job-Watcher', 'kind "Job-Watcher"'],
  ['plural', 'JobWatchers', 'plural "JobWatchers"'],
  ['plural', 'job_watchers', 'plural "job_watchers"'],
  ['plural', 'a'.repeat(64), 'plural "aaa'],
  ['scope', 'namespaced', 'scope "namespaced"'],
])('%s %j is refused', (field, value, message) => {
  const define = () => defineKind<KubernetesObject>({ ...good, [field]: value });
  expect(define).toThrow(InvalidKindError);
  expect(define).toThrow(message);
  expect(define).toThrow(
    expect.objectContaining({ code: 'INVALID_KIND', hint: expect.stringContaining('Write') }),
  );
});
