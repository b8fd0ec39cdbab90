// Compares operators that do the same on ots-runtime, controller-runtime, kopf and @dot-i/k8s-operator:
//   node bench/runtime.mjs [--sync=1000,10000,50000] [--new=1000,5000] [--shards=600] [--workers=1] [--repeats=3]
//                          [--cores=apart] [--only=ots,controller-runtime] [--clusters=20] [--divided=10000]
//                          [--projection=10000]
// The same objects and requests for all, on a real kube-apiserver. They take turns, so that a machine that slows down does so
// for all; the figures are medians, with the least and the greatest behind. The operator has a core to itself, and the server
// and the load have the others; with --cores=shared all have all. Needs the binaries of a control plane
// (KUBEBUILDER_ASSETS), Go, Python and built packages; what is missing is left out, and said. First of all it measures the
// import of ots-runtime, and ends with 1 when that is beyond its budget. Then it measures an operator with several clusters,
// replicas that divide their cache, and a cache with some fields of its objects, which need only built packages. Last, it compares three replicas of ots-runtime that divide the work with one.
import { parseArgs } from 'node:util';
import { findAssets } from '../scripts/find-assets.mjs';
import { median } from './median.mjs';
import { createSamples, withCluster } from './runtime/cluster.mjs';
import { isImportWithinBudget } from './runtime/import-budget.mjs';
import { setCoresApart } from './runtime/cores.mjs';
import { measureDivided } from './runtime/divided.mjs';
import { measureFleet } from './runtime/fleet.mjs';
import { prepareOperators } from './runtime/operators.mjs';
import { syncPods, withPods } from './runtime/projection.mjs';
import { coldSync, reconcileNew } from './runtime/scenarios.mjs';
import { reconcileInShards } from './runtime/shards.mjs';

const { values: flags } = parseArgs({
  options: {
    sync: { type: 'string', default: '1000,10000,50000' },
    new: { type: 'string', default: '1000,5000' },
    shards: { type: 'string', default: '600' },
    workers: { type: 'string', default: '1' },
    repeats: { type: 'string', default: '3' },
    cores: { type: 'string', default: 'apart' },
    clusters: { type: 'string', default: '20' },
    divided: { type: 'string', default: '10000' },
    projection: { type: 'string', default: '10000' },
    only: { type: 'string', default: 'ots,controller-runtime,kopf,@dot-i/k8s-operator' },
  },
});
const counts = (text) => text.split(',').filter(Boolean).map(Number);
const repeats = Number(flags.repeats);

/**
 * A table of the figures, a column for each operator.
 * @param {Map<string, Record<string, number>[]>} results what was measured of each, a record for each repetition
 */
function print(title, results) {
  const names = [...results.keys()];
  const others = names.includes('ots') ? names.filter((name) => name !== 'ots') : [];
  const columns = ['', ...names, ...others.map((name) => `ots / ${name}`)];
  console.log(`\n### ${title}\n`);
  console.log(`| ${columns.join(' | ')} |`);
  console.log(`|---|${'---:|'.repeat(columns.length - 1)}`);
  for (const figure of Object.keys([...results.values()].flat()[0] ?? {})) {
    const values = (name) => results.get(name).map((result) => result[figure]);
    const cells = names.map((name) => cell(figure, values(name)));
    const ratios = others.map((name) => ratio(values('ots'), values(name)));
    console.log(`| ${[figure, ...cells, ...ratios].join(' | ')} |`);
  }
}

function cell(figure, values) {
  if (values.length === 0) return 'failed';
  const text = (value) => value.toFixed(figure.endsWith('s') ? 2 : 1);
  if (values.length === 1) return text(values[0]);
  return `${text(median(values))} (${text(Math.min(...values))}–${text(Math.max(...values))})`;
}

function ratio(mine, theirs) {
  return mine.length === 0 || theirs.length === 0 ? '' : (median(mine) / median(theirs)).toFixed(2);
}

/** Adds what is measured to the results of the operator. One that fails must not cost the figures of the others. */
async function attempt(results, { name }, measure) {
  const measured = results.get(name) ?? [];
  results.set(name, measured);
  try {
    measured.push(await measure());
  } catch (error) {
    console.log(`${name} failed: ${error.message}`);
  }
}

async function compareSync(assets, operators, count) {
  const results = new Map();
  await withCluster(assets, async (cluster) => {
    await createSamples(cluster.client, count);
    for (let round = 0; round < repeats; round += 1) {
      for (const operator of operators)
        await attempt(results, operator, () => coldSync(operator, cluster, count));
    }
  });
  print(`cold sync of ${count} objects`, results);
}

/** Each on a server of its own: objects that one has made would be in the way of the next. */
async function compareNew(assets, operators, count, workers) {
  const results = new Map();
  for (let round = 0; round < repeats; round += 1) {
    for (const operator of operators) {
      const measure = (cluster) => reconcileNew(operator, cluster, count, workers);
      await attempt(results, operator, () => withCluster(assets, measure));
    }
  }
  print(`${count} new objects, ${workers} worker(s)`, results);
}

async function showFleet(clusters) {
  const results = [];
  for (let round = 0; round < repeats; round += 1) results.push(await measureFleet(clusters));
  print(`${clusters} clusters with 100 ConfigMaps of 1 KB each`, new Map([['ots', results]]));
}

async function compareDivided(count, by) {
  const results = new Map();
  for (let round = 0; round < repeats; round += 1) {
    for (const replicas of [1, 3])
      await attempt(results, { name: `${replicas} replica(s)` }, () => measureDivided(count, replicas, by));
  }
  print(`the cache of ${count} ConfigMaps of 1 KB in 100 namespaces, divided by ${by}`, results);
  const heaps = [...results.values()].map((each) => median(each.map((one) => one['heap of the cache, MB'])));
  console.log(
    `\nheap of each of 3 replicas: ${(heaps[1] / heaps[0]).toFixed(2)} of that of one; wanted: at most 0.4`,
  );
}

async function compareProjection(count) {
  const results = new Map();
  await withPods(count, async (server) => {
    for (let round = 0; round < repeats; round += 1) {
      for (const form of ['whole', 'projection'])
        await attempt(results, { name: form }, () => syncPods(server, form));
    }
  });
  print(`the cache of ${count} pods, whole or with two fields`, results);
}

async function compareShards(assets, count) {
  const results = new Map();
  for (let round = 0; round < repeats; round += 1) {
    for (const replicas of [1, 3]) {
      const measure = (cluster) => reconcileInShards(cluster, count, replicas);
      await attempt(results, { name: `${replicas} replica(s)` }, () => withCluster(assets, measure));
    }
  }
  print(`changes of ${count} objects, divided by UID`, results);
}

async function main() {
  if (!(await isImportWithinBudget())) process.exitCode = 1;
  for (const count of counts(flags.clusters)) await showFleet(count);
  for (const count of counts(flags.divided))
    for (const by of ['namespace', 'uid']) await compareDivided(count, by);
  for (const count of counts(flags.projection)) await compareProjection(count);
  const assets = await findAssets();
  if (!assets) {
    console.log('SKIPPED: the comparison of runtimes; set KUBEBUILDER_ASSETS to run it');
    return;
  }
  const operators = await prepareOperators(flags.only.split(','));
  if (flags.cores === 'apart') await setCoresApart(operators);
  for (const count of counts(flags.sync)) await compareSync(assets, operators, count);
  for (const workers of counts(flags.workers)) {
    for (const count of counts(flags.new)) await compareNew(assets, operators, count, workers);
  }
  for (const count of counts(flags.shards)) await compareShards(assets, count);
}

await main();
