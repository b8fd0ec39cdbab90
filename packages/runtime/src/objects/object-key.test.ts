import type { Job } from 'ots-kubernetes/batch/v1';
import type { Node } from 'ots-kubernetes/core/v1';
import { expect, expectTypeOf, test } from 'vitest';
import type { Request } from '../controller/reconciler.ts';
import type { DeepReadonly } from './deep-readonly.ts';
import { type ObjectKey, keyOf } from './object-key.ts';

test('objects of any kind have a key, which is also a request', () => {
  const job: DeepReadonly<Job> = {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'a', namespace: 'default', uid: '1' },
  };
  const node: Node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n1' } };
  expect(keyOf(job)).toEqual({ name: 'a', namespace: 'default' });
  expect(keyOf(node)).toEqual({ name: 'n1' });
  expect(keyOf({ ...node, metadata: { generateName: 'n-' } })).toEqual({ name: '' });
  expectTypeOf(keyOf(job)).toEqualTypeOf<ObjectKey>();
  expectTypeOf(keyOf(node)).toExtend<Request>();
});
