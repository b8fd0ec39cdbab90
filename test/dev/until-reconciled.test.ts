import { expect, test } from 'vitest';
import { untilReconciled } from '../../src/dev/session/until-reconciled.ts';
import { DevStore } from '../../src/dev/store/dev-store.ts';
import { memcached, devState, reconcile } from './terminal/states.ts';

const sample = {
  apiVersion: 'cache.example.com/v1',
  kind: 'Memcached',
  metadata: { uid: 'memcached-1', namespace: 'default', name: 'sample' },
};

function sessionWith(jobConditions: readonly { type: string; status: string }[]): DevStore {
  const job = memcached({ uid: 'job-1', apiVersion: 'batch/v1', kind: 'Job', conditions: jobConditions });
  return new DevStore(
    devState({ objects: { 'memcached-1': memcached(), 'job-1': job }, reconciles: [reconcile()] }),
  );
}

test('a cluster in which a Job runs is not quiet', async () => {
  await expect(
    untilReconciled(sessionWith([]), () => [sample], { timeout: '10ms', clock: 'real' }),
  ).rejects.toThrow('After 10ms, Job sample is running');
});

test('a Job that is complete, failed or suspended does not delay the end', async () => {
  const types = ['Complete', 'Failed', 'Suspended'];
  const sessions = types.map((type) => sessionWith([{ type, status: 'True' }]));
  const ends = Promise.all(
    sessions.map((store) => untilReconciled(store, () => [sample], { timeout: '5s', clock: 'real' })),
  );
  await expect(ends).resolves.toHaveLength(3);
});

test('the error of a sample is the reason, also while the next attempt runs', async () => {
  const failed = reconcile({ result: { outcome: 'error', error: 'no', attempt: 1 } });
  const { result: _, ...running } = reconcile({ id: 'next' });
  const store = new DevStore(
    devState({ objects: { 'memcached-1': memcached() }, reconciles: [failed, running] }),
  );
  await expect(untilReconciled(store, () => [sample], { timeout: '10ms', clock: 'real' })).rejects.toThrow(
    'After 10ms, Memcached sample fails: no',
  );
});

test('if time passes fast, the end comes after an hour of it', async () => {
  const store = sessionWith([]);
  const { objects, cluster } = store.state;
  store.apply({ type: 'object', value: { ...objects['job-1']!, isGone: true } });
  const options = { timeout: '10ms', clock: 'fast' } as const;
  await expect(untilReconciled(store, () => [sample], options)).rejects.toThrow(
    'The cluster is not quiet after 10ms',
  );
  store.apply({ type: 'cluster', value: { ...cluster, ahead: 3600 } });
  await untilReconciled(store, () => [sample], options);
});
