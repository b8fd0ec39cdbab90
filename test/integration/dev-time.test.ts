import { expect, test } from 'vitest';
import { DevProcess } from '../support/dev-process.ts';
import { DevProject } from '../support/dev-project.ts';

const threeDays = 3 * 24 * 60 * 60 * 1000;

test('an operator works after some days as it did before', { timeout: 120_000 }, async () => {
  const dev = new DevProcess(new DevProject('memcached').directory);
  const pod = await dev.until('a pod is ready', ({ objects }) =>
    Object.values(objects).find(
      ({ kind, conditions }) =>
        kind === 'Pod' && conditions.some(({ type, status }) => type === 'Ready' && status === 'True'),
    ),
  );
  const later = Date.now() + threeDays;
  await dev.act({ action: 'advance', seconds: threeDays / 1000 });
  await dev.act({ action: 'evict-pod', namespace: pod.namespace!, name: pod.name });
  await dev.until('the reconcile of then', ({ reconciles }) =>
    reconciles.find(
      ({ startedAt, result, reasons }) =>
        Date.parse(startedAt) >= later &&
        result?.outcome === 'done' &&
        reasons.some((reason) => reason.includes(`${pod.name} updated`)),
    ),
  );
  // The time that passed was not that of a request.
  expect(dev.state.reconciles.filter(({ result }) => result?.outcome === 'error')).toEqual([]);
  expect(await dev.end('SIGINT')).toBe(130);
});
