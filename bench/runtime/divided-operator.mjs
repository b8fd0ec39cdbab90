// A replica that caches its own ConfigMaps, by namespace or UID: node --expose-gc divided-operator.mjs SERVER BY
import { ConfigMap } from 'ots-kubernetes/core/v1';
import { ControllerBuilder, Manager, createLogger } from '../../packages/runtime/dist/index.js';

const [server, by] = process.argv.slice(2);
const manager = await Manager.create({
  connection: { server },
  logger: createLogger({ level: 'error' }),
  sharding: { leasePrefix: 'bench', by, namespace: 'default', divideCache: true },
});
manager.cache.add(ConfigMap, { labelSelector: 'bench=divided' });
new ControllerBuilder(manager).for(ConfigMap).complete(async () => {});
const heapNow = () => {
  globalThis.gc();
  return process.memoryUsage().heapUsed / 1024 / 1024;
};
const atFirst = heapNow();
void manager.start();
await manager.ready;
setInterval(() => {
  const heap = heapNow() - atFirst;
  const rss = process.memoryUsage().rss / 1024 / 1024;
  console.log(JSON.stringify({ objects: manager.cache.list(ConfigMap).length, heap, rss }));
}, 1000);
