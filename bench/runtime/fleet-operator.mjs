// An operator with many clusters: a process of its own, so that its memory is not that of the server. Prints its figures as JSON.
// node --expose-gc fleet-operator.mjs <server> <clusters> <objects in each>
import { setTimeout as sleep } from 'node:timers/promises';
import { ConfigMap } from 'ots-kubernetes/core/v1';
import { Clusters, ControllerBuilder, Manager, createLogger } from 'ots-runtime';

const [server, clusters, objects] = [process.argv[2], Number(process.argv[3]), Number(process.argv[4])];
const connection = { server };
const manager = await Manager.create({ connection, logger: createLogger({ level: 'silent' }) });
let release;
const begun = new Promise((resolve) => {
  release = resolve;
});
const fleet = new Clusters(manager, {
  provider: {
    async *clusters() {
      await begun;
      yield Object.fromEntries(Array.from({ length: clusters }, (_, index) => [`c-${index}`, connection]));
    },
  },
});
let reconciled = 0;
let finished;
const done = new Promise((resolve) => {
  finished = resolve;
});
new ControllerBuilder(fleet).for(ConfigMap).complete(async () => {
  reconciled += 1;
  if (reconciled === clusters * objects) finished();
});
const run = manager.start();
await manager.ready;

/** What is in use after everything that can be collected was. */
async function inUse() {
  for (let round = 0; round < 3; round += 1) {
    globalThis.gc();
    await sleep(100);
  }
  const { heapUsed, external } = process.memoryUsage();
  return { heap: heapUsed + external, rss: process.memoryUsage.rss() };
}

const before = await inUse();
const start = performance.now();
release();
await done;
const seconds = (performance.now() - start) / 1000;
const after = await inUse();
const megabytes = (name) => (after[name] - before[name]) / clusters / 1e6;
console.log(
  JSON.stringify({
    'sync and reconcile, s': seconds,
    'heap per cluster, MB': megabytes('heap'),
    'RSS per cluster, MB': megabytes('rss'),
  }),
);
await manager.stop();
await run;
