// Measures a cluster in this process beside the limits that it must keep. Run `npm run build` before.
// Usage: npm run bench:cluster -- [--rounds=3] [--idle=10] [--only=pods]
//   --rounds  how often each row is measured after a second that warms up; it shows the median, and the first round of the process. With
//             0 it shows only that.
//   --only    measures the rows whose name contains it
//   --idle    for how many seconds the cost of doing nothing is measured
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Deployment, StatefulSet } from 'ots-kubernetes/apps/v1';
import { ConfigMap, Pod } from 'ots-kubernetes/core/v1';
import { Client, Manager, createLogger } from 'ots-runtime';
import { TestEnvironment } from 'ots-testing';
import { median } from './median.mjs';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    idle: { type: 'string', default: '10' },
    only: { type: 'string', default: '' },
  },
});
const rounds = Number(values.rounds);
const idleSeconds = Number(values.idle);

/** How long a row runs before it is measured, in milliseconds. */
const warmUpMs = 1000;

const objects = 1000;
const virtualHours = 6;
const namespace = 'default';
const labels = { app: 'web' };
const metadata = { name: 'web', namespace };

/** Runs a measurement in a new cluster. */
async function inCluster(options, measure) {
  const environment = await TestEnvironment.start({ env: {}, ...options });
  const client = new Client(environment.config);
  try {
    return await measure({ environment, client });
  } finally {
    await client.close();
    await environment.stop();
  }
}

const workloadOf = (kind, spec) => ({
  apiVersion: 'apps/v1',
  kind,
  metadata,
  spec: {
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'web:1' }] } },
    ...spec,
  },
});

/** The CPU time of the last work that was measured, in milliseconds: on a busy machine it says more than the time that passed. */
let cpuMilliseconds = 0;

async function millisecondsOf(work) {
  const start = performance.now();
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  cpuMilliseconds = (user + system) / 1000;
  return performance.now() - start;
}

/** Moves time in small steps until all replicas are ready and have the newest template. */
async function untilReady({ environment, client }, kind, replicas) {
  for (let seconds = 0; seconds < 3600; seconds += 1) {
    const { metadata: now, status = {} } = await client.getOrThrow(kind, metadata);
    const { observedGeneration, readyReplicas, updatedReplicas, replicas: existing } = status;
    const counts = [readyReplicas, updatedReplicas, existing];
    if (observedGeneration === now.generation && counts.every((count) => count === replicas)) return;
    await environment.advance('1s');
  }
  throw new Error(`${kind.kind} of ${replicas} did not become ready within an hour of virtual time`);
}

/** From the creation of a StatefulSet until its pods, one after the other, are ready. */
function statefulSetReady() {
  return inCluster({ clock: 'virtual', workloads: true }, (cluster) =>
    millisecondsOf(async () => {
      await cluster.client.create(
        StatefulSet,
        workloadOf('StatefulSet', { replicas: 3, serviceName: 'web' }),
      );
      await untilReady(cluster, StatefulSet, 3);
    }),
  );
}

/** From the change of a template until all pods are replaced. */
function deploymentRolledOver() {
  return inCluster({ clock: 'virtual', workloads: true }, async (cluster) => {
    await cluster.client.create(Deployment, workloadOf('Deployment', { replicas: 100 }));
    await untilReady(cluster, Deployment, 100);
    return millisecondsOf(async () => {
      const containers = [{ name: 'web', image: 'web:2' }];
      const patch = { spec: { template: { spec: { containers } } } };
      await cluster.client.patch(Deployment, metadata, patch, { type: 'strategic' });
      await untilReady(cluster, Deployment, 100);
    });
  });
}

/** From the creation of the first of many pods until all run on their nodes and are ready. */
function podsReady() {
  return inCluster({ clock: 'virtual', workloads: { nodes: 10 } }, async ({ environment, client }) =>
    millisecondsOf(async () => {
      for (let index = 0; index < objects; index += 1)
        await client.create(Pod, {
          apiVersion: 'v1',
          kind: 'Pod',
          metadata: { name: `pod-${index}`, namespace },
          spec: { containers: [{ name: 'web', image: 'web:1' }] },
        });
      await environment.advance('10s');
      const { items } = await client.list(Pod, { namespace });
      const ready = items.filter(({ status }) =>
        status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True'),
      );
      if (ready.length < objects) throw new Error(`${ready.length} of ${objects} pods are ready`);
    }),
  );
}

/** How many hours of virtual time a second of real time advances for an idle cluster with a node and an informer. */
function idleHoursPerSecond() {
  return inCluster({ clock: 'virtual', workloads: true }, async ({ environment, client }) => {
    for (let index = 0; index < objects; index += 1)
      await client.create(ConfigMap, {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: `object-${index}`, namespace },
      });
    const logger = createLogger({ level: 'silent' });
    const manager = await Manager.create({ connection: environment.config, logger });
    manager.cache.add(ConfigMap);
    const ended = manager.start();
    await manager.ready;
    const milliseconds = await millisecondsOf(() => environment.advance(`${virtualHours}h`));
    await manager.stop();
    await ended;
    return virtualHours / (milliseconds / 1000);
  });
}

/** The share of a core, in percent, that controllers, scheduler and kubelet need while nothing happens. */
function idleCost() {
  return inCluster({ workloads: true }, async ({ client }) => {
    await client.create(Deployment, workloadOf('Deployment', { replicas: 10 }));
    // Starting is not idling.
    await delay(5000);
    const before = process.cpuUsage();
    await delay(idleSeconds * 1000);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1e4 / idleSeconds;
  });
}

const rows = [
  { name: 'StatefulSet of 3 to ready', unit: 'ms', measure: statefulSetReady, limit: 50 },
  { name: 'Deployment of 100 rolled over', unit: 'ms', measure: deploymentRolledOver, limit: 1000 },
  { name: `${objects} pods scheduled and ready`, unit: 'ms', measure: podsReady, limit: 3000 },
  {
    name: `an idle cluster of ${objects} objects, per second`,
    unit: 'h',
    measure: idleHoursPerSecond,
    limit: 1,
  },
  { name: 'idle cost of workloads', unit: '% of a core', measure: idleCost, limit: 1 },
];

/** Short rows run until the engine has compiled them. @returns what the first round showed */
async function warmUp(measure, milliseconds) {
  const begun = performance.now();
  const first = { result: await measure(), cpu: cpuMilliseconds };
  while (performance.now() - begun < milliseconds) await measure();
  return first;
}

for (const { name, unit, measure, limit } of rows.filter((row) => row.name.includes(values.only))) {
  const first = await warmUp(measure, rounds > 0 ? warmUpMs : 0);
  const results = rounds > 0 ? [] : [first.result];
  const cpu = rounds > 0 ? [] : [first.cpu];
  for (let round = 0; round < rounds; round += 1) {
    results.push(await measure());
    cpu.push(cpuMilliseconds);
  }
  const middle = median(results);
  const ratio = unit === 'h' ? limit / middle : middle / limit;
  const cost = unit === 'ms' ? `; CPU ${median(cpu).toFixed(0)} ms; first ${first.result.toFixed(0)} ms` : '';
  console.log(
    `${name}: ${middle.toFixed(1)} ${unit} (limit ${limit} ${unit}; ratio ${ratio.toFixed(2)}${cost})`,
  );
}
