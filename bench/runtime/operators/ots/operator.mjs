// The benchmark's operator on ots-runtime, with its default settings.
import { parseArgs } from 'node:util';
import { ConfigMap } from 'ots-kubernetes/core/v1';
import {
  ControllerBuilder,
  Manager,
  createLogger,
  createOrUpdate,
  defineKind,
  loadConfig,
  setControllerReference,
  shutdownSignal,
} from '../../../../packages/runtime/dist/index.js';

const Sample = defineKind({
  apiVersion: 'bench.example.com/v1',
  kind: 'Sample',
  plural: 'samples',
  scope: 'Namespaced',
});

const { values: flags } = parseArgs({
  options: { mode: { type: 'string', default: 'reconcile' }, workers: { type: 'string', default: '1' } },
});
const manager = await Manager.create({
  connection: await loadConfig(),
  logger: createLogger({ level: 'error' }),
  metrics: { host: '127.0.0.1', port: 0, secure: false },
});
const { client } = manager;

async function reconcile(request) {
  const sample = await client.get(Sample, request);
  if (!sample) return;
  const { seed, payload } = sample.spec;
  await createOrUpdate(client, ConfigMap, request, (child) => {
    child.data = { seed: String(seed), payload };
    setControllerReference(sample, child);
  });
  if (sample.status?.observed !== seed)
    await client.status.patch(Sample, request, { status: { observed: seed } });
}

const builder = new ControllerBuilder(manager)
  .for(Sample)
  .withOptions({ maxConcurrentReconciles: Number(flags.workers) });
if (flags.mode === 'sync') builder.complete(async () => {});
else builder.owns(ConfigMap).complete(reconcile);
manager.ready.then(
  () => console.log('synced', manager.cache.list(Sample).length),
  () => {},
);
await manager.start(shutdownSignal());
