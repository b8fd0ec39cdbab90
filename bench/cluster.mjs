// Measures a cluster in this process with a virtual clock, beside the limits that it must keep. Run `npm run build` before.
// Usage: npm run bench:cluster
import { performance } from 'node:perf_hooks';
import { TestEnvironment } from 'ots-testing';
import { ConfigMap } from 'ots-kubernetes/core/v1';
import { Client, Manager, createLogger } from 'ots-runtime';

const objects = 1000;
const virtualHours = 6;

/** How many hours of virtual time a second of real time advances for an idle cluster. */
async function idleHoursPerSecond() {
  const environment = await TestEnvironment.start({ clock: 'virtual', env: {} });
  const client = new Client(environment.config);
  for (let index = 0; index < objects; index += 1) {
    await client.create(ConfigMap, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: `object-${index}`, namespace: 'default' },
    });
  }
  const logger = createLogger({ level: 'silent' });
  const manager = await Manager.create({ connection: environment.config, logger });
  manager.cache.add(ConfigMap);
  const ended = manager.start();
  await manager.ready;
  await environment.settle();
  const start = performance.now();
  await environment.advance(`${virtualHours}h`);
  const seconds = (performance.now() - start) / 1000;
  await manager.stop();
  await ended;
  await client.close();
  await environment.stop();
  return virtualHours / seconds;
}

const hours = await idleHoursPerSecond();
console.log(
  `idle cluster of ${objects} objects: ${hours.toFixed(1)} h of virtual time per second (limit: at least 1 h; ratio ${hours.toFixed(1)})`,
);
