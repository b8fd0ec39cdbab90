// What is measured of one operator. Each gives figures by name.
import { setTimeout as sleep } from 'node:timers/promises';
import { samplesPath, createSamples, nameOf, requestsSoFar } from './cluster.mjs';
import { Observed } from './observed.mjs';
import { OperatorProcess } from './operator-process.mjs';

/** Time without work after which memory is settled and late requests are done. */
const settleMs = 5000;
/** Rate and duration of the changes that measure latency. */
const changesPerSecond = 50;
const durationSeconds = 10;

const start = (operator, cluster, mode, expected, workers) =>
  new OperatorProcess(operator.command(mode, workers), {
    KUBECONFIG: cluster.kubeconfig,
    MODE: mode,
    EXPECTED: String(expected),
    ...operator.env,
  });

/** Time from the start of the process until `count` objects, which are there already, are in its memory. */
export async function coldSync(operator, cluster, count) {
  const running = start(operator, cluster, 'sync', count, 1);
  try {
    const seconds = await running.synced();
    await sleep(settleMs);
    const { rss, anonymous, peak, cpu } = running.usage();
    return {
      'sync, s': seconds,
      'settled RSS, MB': rss,
      'without the program, MB': anonymous,
      'peak RSS, MB': peak,
      'processor, s': cpu,
    };
  } finally {
    await running.stop();
  }
}

/** Time until `count` new objects, which are created at once, are reconciled. */
export async function reconcileNew(operator, cluster, count, workers) {
  const { client } = cluster;
  const running = start(operator, cluster, 'reconcile', 0, workers);
  const observed = await Observed.start(client);
  try {
    await running.synced();
    const before = { requests: await requestsSoFar(client), cpu: running.usage().cpu, at: performance.now() };
    const reconciled = [];
    await createSamples(client, count, (index) => reconciled.push(observed.reconciled(nameOf(index), 1)));
    const ends = await Promise.all(reconciled);
    await sleep(settleMs);
    const requests = (await requestsSoFar(client)) - before.requests - count;
    const { rss, anonymous, cpu } = running.usage();
    const seconds = (Math.max(...ends) - before.at) / 1000;
    return {
      'all reconciled, s': seconds,
      'objects/s': count / seconds,
      'requests/object': requests / count,
      'processor, s': cpu - before.cpu,
      'settled RSS, MB': rss,
      'without the program, MB': anonymous,
      ...(await latencies(client, observed, count)),
    };
  } finally {
    observed.stop();
    await running.stop();
  }
}

/** From the answer to a change until the status shows it, at a rate that leaves every operator idle in between. */
async function latencies(client, observed, count) {
  const measured = [];
  const begin = performance.now();
  for (let index = 0; index < changesPerSecond * durationSeconds; index += 1) {
    await sleep(Math.max(0, begin + (index * 1000) / changesPerSecond - performance.now()));
    measured.push(latency(client, observed, nameOf(index % count), 2 + Math.floor(index / count)));
  }
  const sorted = (await Promise.all(measured)).toSorted((a, b) => a - b);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  return { 'change to status p50, ms': at(0.5), 'p99, ms': at(0.99) };
}

async function latency(client, observed, name, seed) {
  const reconciled = observed.reconciled(name, seed);
  const patch = { spec: { seed } };
  await client.send('PATCH', `${samplesPath}/${name}`, patch, 'application/merge-patch+json');
  const changed = performance.now();
  return Math.max(0, (await reconciled) - changed);
}
