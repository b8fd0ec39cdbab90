// Caches all pods: a process of its own, so that its memory is not that of the server. Prints its figures as JSON.
// node --expose-gc projection-operator.mjs <server> <whole|projection>
import { Pod } from 'ots-kubernetes/core/v1';
import { Manager, createLogger, projectionOf } from 'ots-runtime';

const [server, form] = process.argv.slice(2);
const manager = await Manager.create({ connection: { server }, logger: createLogger({ level: 'silent' }) });
manager.cache.add(form === 'whole' ? Pod : projectionOf(Pod, ['spec.nodeName', 'status.phase']));
globalThis.gc();
const before = process.memoryUsage().heapUsed;
const start = performance.now();
const run = manager.start();
await manager.ready;
const seconds = (performance.now() - start) / 1000;
globalThis.gc();
const { heapUsed, rss } = process.memoryUsage();
const figures = {
  'sync, s': seconds,
  'heap of the cache, MB': (heapUsed - before) / 1e6,
  'RSS, MB': rss / 1e6,
};
console.log(JSON.stringify(figures));
await manager.stop();
await run;
