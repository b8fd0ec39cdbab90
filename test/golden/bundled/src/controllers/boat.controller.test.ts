import { TestEnvironment } from 'ots-testing';
import { Client, createLogger, findCondition, Manager } from 'ots-runtime';
import { expect, test } from 'vitest';
import { Boat } from '../api/v1/boat.ts';
import { setupBoatController } from './boat.controller.ts';

const logger = createLogger({ level: 'error' });
const listeners = { health: false, metrics: false, webhooks: false } as const;
// Who the operator is in a cluster, as config/rbac says it.
const operator = { serviceAccount: 'controller-manager', namespace: 'system' };
const key = { namespace: 'default', name: 'boat-sample' };
const sample: Boat = {
  apiVersion: 'sea.example.com/v1',
  kind: 'Boat',
  metadata: key,
  spec: { message: 'Hello' },
};

test('a new Boat becomes ready', async () => {
  // Add `workloads: true` if the controller creates Deployments or other workloads: their pods become ready.
  await using environment = await TestEnvironment.start({ crds: ['config/crd/bases'] });
  await environment.install('config/rbac', { namespace: operator.namespace });
  await using client = new Client(environment.config);
  // It may do what config/rbac grants and nothing else: a missing rule fails the test.
  await using manager = await Manager.create(
    {
      connection: await environment.as(operator),
      // As in main.ts: an apply needs it.
      userAgent: 'bundled',
      logger,
      ...listeners,
    },
    { failOnDenied: true },
  );
  setupBoatController(manager, () => new Date('2026-01-01T00:00:00Z'));
  const running = manager.start();
  running.catch(() => {}); // `ready` and `idle` reject, too.
  await manager.ready;

  await client.create(Boat, sample);
  await manager.idle();

  const found = await client.get(Boat, key);
  expect(findCondition(found?.status?.conditions, 'Ready')).toMatchObject({
    status: 'True',
    reason: 'Reconciled',
    observedGeneration: 1,
    lastTransitionTime: '2026-01-01T00:00:00Z',
  });
  await manager.stop();
  await running;
});
