import { expect, test } from 'vitest';
import type { DevState, ReconcileState } from '../../src/dev/model/dev-state.ts';
import { DevProcess } from '../support/dev-process.ts';
import { DevProject } from '../support/dev-project.ts';

const finished = ({ reconciles }: DevState): ReconcileState[] =>
  reconciles.filter(({ result }) => result?.outcome === 'done');

test('an operator works after some days as it did before', { timeout: 120_000 }, async () => {
  const dev = new DevProcess(new DevProject('memcached').directory);
  const pod = await dev.until('a pod is ready', ({ objects }) =>
    Object.values(objects).find(
      ({ kind, conditions }) =>
        kind === 'Pod' && conditions.some(({ type, status }) => type === 'Ready' && status === 'True'),
    ),
  );
  await dev.act({ action: 'advance', seconds: 3 * 24 * 60 * 60 });
  const before = finished(dev.state).length;
  await dev.act({ action: 'evict-pod', namespace: pod.namespace!, name: pod.name });
  const reconcile = await dev.until('the reconcile', (state) => finished(state)[before]);
  expect(Date.parse(reconcile.startedAt) - Date.now()).toBeGreaterThan(2.9 * 24 * 60 * 60 * 1000);
  // The time that passed was not that of a request.
  expect(dev.state.reconciles.filter(({ result }) => result?.outcome === 'error')).toEqual([]);
  expect(await dev.end('SIGINT')).toBe(130);
});
