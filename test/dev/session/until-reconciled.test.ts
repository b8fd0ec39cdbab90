import { setTimeout as delay } from 'node:timers/promises';
import type { KubernetesObject } from 'ots-kubernetes';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { DevState } from '../../../src/dev/model/dev-state.ts';
import { untilReconciled } from '../../../src/dev/session/until-reconciled.ts';
import { DevStore } from '../../../src/dev/store/dev-store.ts';
import { devState, memcached, reconcile } from '../terminal/states.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const passed = (milliseconds: number): void => {
  vi.setSystemTime(Date.now() + milliseconds);
};

const sample: KubernetesObject = {
  apiVersion: 'cache.example.com/v1',
  kind: 'Memcached',
  metadata: { namespace: 'default', name: 'sample', uid: 'memcached-1' },
};
const reconciled: Partial<DevState> = {
  objects: { 'memcached-1': memcached() },
  reconciles: [reconcile()],
  queues: [{ controller: 'memcached', kind: 'Memcached', entries: [] }],
};

async function reasonAfter(
  parts: Partial<DevState>,
  samples: readonly KubernetesObject[] | undefined = [sample],
): Promise<string> {
  const store = new DevStore(devState({ ...reconciled, ...parts }));
  const ended = untilReconciled(store, () => samples, { timeout: '2s', clock: 'real' }).then(
    () => 'reconciled',
    (error: Error) => error.message,
  );
  passed(3000);
  return ended;
}

test('a sample is reconciled when its last reconcile is done and nothing waits', async () => {
  expect(await reasonAfter({})).toBe('reconciled');
  const entries = [{ name: 'sample', state: 'requeue', reasons: [] }] as const;
  expect(await reasonAfter({ queues: [{ controller: 'memcached', entries }] })).toBe('reconciled');
});

/** Its conditions are those that are true. */
const job = (types: readonly string[]) => {
  const conditions = types.map((type) => ({ type, status: 'True' }));
  return memcached({ uid: 'job-1', apiVersion: 'batch/v1', kind: 'Job', conditions });
};

const error = { outcome: 'error', error: 'no quota', attempt: 1 } as const;
const { result: _, ...running } = reconcile();
const { operator } = devState();

test.each<[string, Partial<DevState>]>([
  ['After 2s, the operator is starting', { operator: { ...operator, phase: 'starting' } }],
  ['After 2s, Memcached sample was not reconciled', { reconciles: [] }],
  ['After 2s, Memcached sample was not reconciled', { reconciles: [reconcile({ namespace: 'other' })] }],
  ['After 2s, Memcached sample is being reconciled', { reconciles: [running] }],
  ['After 2s, Memcached sample fails: no quota', { reconciles: [reconcile(), reconcile({ result: error })] }],
  [
    // Also while the next attempt runs.
    'After 2s, Memcached sample fails: no quota',
    { reconciles: [reconcile({ result: error }), { ...running, id: 'next' }] },
  ],
  ['After 2s, Job sample is running', { objects: { ...reconciled.objects, 'job-1': job([]) } }],
  [
    'After 2s, sample is backoff',
    { queues: [{ controller: 'memcached', entries: [{ name: 'sample', state: 'backoff', reasons: [] }] }] },
  ],
  [
    'cannot start',
    {
      problems: [{ source: 'operator', message: 'cannot start' }],
      operator: { ...operator, phase: 'crashed' },
    },
  ],
  ['is invalid', { problems: [{ source: 'samples', message: 'is invalid' }] }],
])('otherwise the reason is: %s', async (reason, parts) => {
  expect(await reasonAfter(parts)).toBe(reason);
});

test('a reconcile of another kind with the same name is not that of the sample', async () => {
  const backup = reconcile({ controller: 'backup', result: error });
  const queues = [...reconciled.queues!, { controller: 'backup', kind: 'Backup', entries: [] }];
  expect(await reasonAfter({ reconciles: [reconcile(), backup], queues })).toBe('reconciled');
  expect(await reasonAfter({ reconciles: [backup], queues })).toBe(
    'After 2s, Memcached sample was not reconciled',
  );
});

test('samples that no controller of the project reconciles need not be', async () => {
  expect(await reasonAfter({ reconciles: [] }, [{ ...sample, metadata: { name: 'a', uid: 'other' } }])).toBe(
    'reconciled',
  );
});

test('the samples must be applied, and the cluster must become quiet', async () => {
  const store = new DevStore(devState(reconciled));
  let samples: KubernetesObject[] | undefined;
  let isEnded = false;
  const ended = untilReconciled(store, () => samples, { clock: 'real' }).then(() => (isEnded = true));
  const looks = async (): Promise<void> => {
    const look = vi.spyOn(store, 'state', 'get');
    // vi.waitFor would move the clock.
    while (look.mock.calls.length <= 2) await delay(10);
    look.mockRestore();
  };
  passed(2000);
  await looks();
  expect(isEnded).toBe(false);
  samples = [sample];
  store.apply({ type: 'object', value: memcached() });
  passed(400);
  await looks();
  expect(isEnded).toBe(false);
  passed(200);
  await ended;
});

test('a Job that is complete, failed, suspended or gone does not delay the end', async () => {
  const ended = ['Complete', 'Failed', 'Suspended'].map((type) => job([type]));
  for (const each of [...ended, { ...job([]), isGone: true }])
    expect(await reasonAfter({ objects: { ...reconciled.objects, 'job-1': each } })).toBe('reconciled');
});

test('if time passes fast, the end comes after an hour of it', async () => {
  const store = new DevStore(devState(reconciled));
  const ended = untilReconciled(store, () => [sample], { timeout: '2s', clock: 'fast' });
  passed(1000);
  store.apply({ type: 'cluster', value: { ...store.state.cluster, ahead: 3599 } });
  passed(2000);
  await expect(ended).rejects.toThrow('The cluster is not quiet after 2s');
  store.apply({ type: 'cluster', value: { ...store.state.cluster, ahead: 3600 } });
  await untilReconciled(store, () => [sample], { timeout: '2s', clock: 'fast' });
});
