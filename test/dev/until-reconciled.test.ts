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
  await expect(untilReconciled(sessionWith([]), () => [sample], '10ms')).rejects.toThrow(
    'After 10ms, Job sample is running',
  );
});

test('a Job that is complete, failed or suspended does not delay the end', async () => {
  const types = ['Complete', 'Failed', 'Suspended'];
  const sessions = types.map((type) => sessionWith([{ type, status: 'True' }]));
  const ends = Promise.all(sessions.map((store) => untilReconciled(store, () => [sample], '5s')));
  await expect(ends).resolves.toHaveLength(3);
});
