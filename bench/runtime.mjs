// Compares operators that do the same on ots-runtime, controller-runtime, kopf and @dot-i/k8s-operator:
//   node bench/runtime.mjs [--sync=1000,10000,50000] [--new=1000,5000] [--workers=1] [--only=ots,controller-runtime]
// One real kube-apiserver for each measurement, the same objects and requests for all, one after another. Needs the binaries
// of a control plane (KUBEBUILDER_ASSETS), Go, Python and built packages; what is missing is left out, and said. First of all
// it measures the import of ots-runtime, and ends with 1 when that is beyond its budget.
import { parseArgs } from 'node:util';
import { findAssets } from '../scripts/find-assets.mjs';
import { createSamples, withCluster } from './runtime/cluster.mjs';
import { isImportWithinBudget } from './runtime/import-budget.mjs';
import { prepareOperators } from './runtime/operators.mjs';
import { coldSync, reconcileNew } from './runtime/scenarios.mjs';

const { values: flags } = parseArgs({
  options: {
    sync: { type: 'string', default: '1000,10000,50000' },
    new: { type: 'string', default: '1000,5000' },
    workers: { type: 'string', default: '1' },
    only: { type: 'string', default: 'ots,controller-runtime,kopf,@dot-i/k8s-operator' },
  },
});
const counts = (text) => text.split(',').filter(Boolean).map(Number);

function print(title, names, results) {
  console.log(`\n### ${title}\n`);
  console.log(`| | ${names.join(' | ')} | ots / controller-runtime |`);
  console.log(`|---|${names.map(() => '---:|').join('')}---:|`);
  for (const figure of Object.keys(results[0] ?? {})) {
    const [mine, go] = ['ots', 'controller-runtime'].map((name) => results[names.indexOf(name)]?.[figure]);
    const cells = results.map((result) =>
      result ? result[figure].toFixed(figure.endsWith('s') ? 2 : 1) : 'failed',
    );
    const ratio = mine === undefined || go === undefined ? '' : (mine / go).toFixed(2);
    console.log(`| ${figure} | ${cells.join(' | ')} | ${ratio} |`);
  }
}

/** An operator that fails must not cost the figures of the others. */
async function attempt(name, measure) {
  try {
    return await measure();
  } catch (error) {
    console.log(`${name} failed: ${error.message}`);
    return undefined;
  }
}

async function compareSync(assets, operators, count) {
  const results = [];
  await withCluster(assets, async (cluster) => {
    await createSamples(cluster.client, count);
    for (const operator of operators)
      results.push(await attempt(operator.name, () => coldSync(operator, cluster, count)));
  });
  print(
    `cold sync of ${count} objects`,
    operators.map(({ name }) => name),
    results,
  );
}

async function compareNew(assets, operators, count) {
  const results = [];
  for (const operator of operators) {
    const measure = (cluster) => reconcileNew(operator, cluster, count, Number(flags.workers));
    results.push(await attempt(operator.name, () => withCluster(assets, measure)));
  }
  print(
    `${count} new objects, ${flags.workers} worker(s)`,
    operators.map(({ name }) => name),
    results,
  );
}

async function main() {
  if (!(await isImportWithinBudget())) process.exitCode = 1;
  const assets = await findAssets();
  if (!assets) {
    console.log('SKIPPED: the comparison of runtimes; set KUBEBUILDER_ASSETS to run it');
    return;
  }
  const operators = await prepareOperators(flags.only.split(','));
  for (const count of counts(flags.sync)) await compareSync(assets, operators, count);
  for (const count of counts(flags.new)) await compareNew(assets, operators, count);
}

await main();
