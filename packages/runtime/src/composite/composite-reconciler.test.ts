import { expect, test } from 'vitest';
import { App } from '../../test/owners.ts';
import { ApiError } from '../errors/api-error.ts';
import { NoSubresourceError } from '../mapping/mapping-errors.ts';
import type { ReconcileContext } from '../controller/reconciler.ts';
import { CompositeReconciler, type CompositeSource } from './composite-reconciler.ts';

const request = { name: 'app', namespace: 'default' };
const context = { signal: new AbortController().signal } as ReconcileContext;

function reconcile(failure: Error): Promise<unknown> {
  const parent: App = {
    apiVersion: 'example.com/v1',
    kind: 'App',
    metadata: { ...request, uid: 'u1' },
    spec: {},
  };
  const source = {
    client: { get: async () => parent, status: { apply: () => Promise.reject(failure) } },
  } as unknown as CompositeSource;
  const sync = () => ({ children: [], status: {} });
  return new CompositeReconciler<App>('app', { parent: App, children: [], sync }, source).reconcile(
    request,
    context,
  );
}

test('a result that requests another reconcile gets it', async () => {
  const parent: App = { apiVersion: 'example.com/v1', kind: 'App', metadata: request, spec: {} };
  const source = { client: { get: async () => parent } } as unknown as CompositeSource;
  const sync = () => ({ children: [], requeueAfter: '5m' as const });
  const reconciler = new CompositeReconciler<App>('app', { parent: App, children: [], sync }, source);
  expect(await reconciler.reconcile(request, context)).toEqual({ requeueAfter: '5m' });
});

test('a status for a deleted parent is dropped', async () => {
  const message = 'apps.example.com "app" not found';
  const notFound = new ApiError({ code: 404, reason: 'NotFound', message });
  await expect(reconcile(notFound)).resolves.toEqual({ requeueAfter: undefined });
});

test('a status that the kind does not have is a failure', async () => {
  const failure = new NoSubresourceError(App, 'status');
  await expect(reconcile(failure)).rejects.toBe(failure);
});
