// A replica of an operator whose reconciles wait, as for another service.
import { setTimeout as sleep } from 'node:timers/promises';
import {
  ControllerBuilder,
  Manager,
  createLogger,
  defineKind,
  loadConfig,
  shutdownSignal,
} from '../../../../packages/runtime/dist/index.js';

/** In milliseconds: little of a core is used, so several replicas fit on one. */
const waitMs = 400;

const Sample = defineKind({
  apiVersion: 'bench.example.com/v1',
  kind: 'Sample',
  plural: 'samples',
  scope: 'Namespaced',
});

const manager = await Manager.create({
  connection: await loadConfig(),
  logger: createLogger({ level: 'error' }),
  sharding: { leasePrefix: 'bench', by: 'uid', namespace: 'default' },
});
const { client } = manager;

new ControllerBuilder(manager)
  .for(Sample)
  .withOptions({ maxConcurrentReconciles: 8 })
  .complete(async (request) => {
    const sample = await client.get(Sample, request);
    if (!sample || sample.status?.observed === sample.spec.seed) return;
    await sleep(waitMs);
    await client.status.patch(Sample, request, { status: { observed: sample.spec.seed } });
  });
manager.ready.then(
  () => console.log('synced'),
  () => {},
);
await manager.start(shutdownSignal());
