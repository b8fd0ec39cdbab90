import { expect, test, vi } from 'vitest';
import { Thing, thing } from '../../test/thing.ts';
import { admissionContext, observedChildren, reconcileContext } from './testing.ts';

test('a reconcile context is complete, with the overrides of the test', () => {
  const context = reconcileContext();
  expect(context).toMatchObject({ attempt: 1, reconcileId: expect.stringMatching(/^[0-9a-f-]{36}$/) });
  expect(context.signal.aborted).toBe(false);
  expect(context.logger.level).toBe('silent');
  expect('lastError' in context).toBe(false);
  const signal = AbortSignal.abort();
  const lastError = new Error('before');
  expect(reconcileContext({ signal, attempt: 2, lastError })).toMatchObject({
    signal,
    attempt: 2,
    lastError,
  });
});

test('an admission context is derived from the objects', () => {
  const context = admissionContext({ request: { object: thing('a') } });
  expect(context).toMatchObject({
    operation: 'CREATE',
    dryRun: false,
    user: { username: 'kubernetes-admin' },
    request: {
      operation: 'CREATE',
      kind: { group: 'example.com', version: 'v1', kind: 'Thing' },
      name: 'a',
      namespace: 'default',
      userInfo: { username: 'kubernetes-admin' },
    },
  });
  expect(context.warn('nothing happens')).toBeUndefined();
  const both = { object: thing('a', 2), oldObject: thing('a') };
  expect(admissionContext({ request: both }).request.operation).toBe('UPDATE');
  expect(admissionContext({ request: { oldObject: thing('a') } }).operation).toBe('DELETE');
});

test('overrides apply to the context and to its request', () => {
  const warn = vi.fn<(message: string) => void>();
  const user = { username: 'eve' };
  const context = admissionContext({ operation: 'UPDATE', user, dryRun: true, subresource: 'status', warn });
  expect(context).toMatchObject({ operation: 'UPDATE', user, dryRun: true, subresource: 'status' });
  expect(context.request).toMatchObject({
    operation: 'UPDATE',
    userInfo: user,
    dryRun: true,
    subResource: 'status',
  });
  context.warn('old');
  expect(warn).toHaveBeenCalledWith('old');
  expect(admissionContext({ request: { dryRun: true } }).dryRun).toBe(true);
});

test('observed children are found by name in the namespace of their parent, and by kind', () => {
  const there = { ...thing('a'), metadata: { name: 'a', namespace: 'there' } };
  const observed = observedChildren(there, { ...thing('b'), metadata: { name: 'b' } }, thing('c'));
  expect(observed.get(Thing, 'b')?.metadata).toEqual({ name: 'b', namespace: 'there' });
  expect(observed.get(Thing, 'c')).toBeUndefined();
  expect(observed.of(Thing).map(({ metadata }) => metadata.name)).toEqual(['c', 'b']);
  expect(observedChildren(there).of(Thing)).toEqual([]);
});
