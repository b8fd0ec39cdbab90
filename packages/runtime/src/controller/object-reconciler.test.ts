import { expect, test } from 'vitest';
import { Thing, thing } from '../../test/thing.ts';
import { objectReconciler } from './object-reconciler.ts';
import type { ReconcileContext } from './reconciler.ts';

const context = {} as ReconcileContext;

test('receives the object and the context, and is not called for a missing object', async () => {
  const seen: unknown[] = [];
  const client = {
    get: async (_: unknown, { name }: { name: string }) => (name === 'a' ? thing('a') : undefined),
  };
  const reconciler = objectReconciler(client as never, Thing, async (object, given) => {
    seen.push(object.spec.size, given);
    return { requeueAfter: 5 };
  });
  expect(await reconciler.reconcile({ name: 'a' }, context)).toEqual({ requeueAfter: 5 });
  expect(await reconciler.reconcile({ name: 'b' }, context)).toBeUndefined();
  expect(seen).toEqual([1, context]);
});
