// Measures `torture` with the operators of test/torture, which have published bugs, and their twins without. Run `npm run build` before.
// Usage: npm run bench:torture -- [--budget=4s] [--twins=] [--only=name,name] [--processes=2] [--write]
//   --budget     how long the plans of each operator with a bug may take
//   --twins      the same for each twin: default as long as they take
//   --only       measures these operators
//   --processes  how many operators are searched at a time: default one per core, at most 4
//   --write      updates the table in docs/torture.md
import { fork } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { bundle, isOneOf, rootDirectory } from '../scripts/bundle.mjs';

const { values } = parseArgs({
  options: {
    budget: { type: 'string', default: '4s' },
    twins: { type: 'string' },
    only: { type: 'string' },
    processes: { type: 'string', default: String(Math.min(4, availableParallelism())) },
    write: { type: 'boolean', default: false },
  },
});
const page = new URL('docs/torture.md', rootDirectory);
const output = new URL('node_modules/.cache/bench-torture/', rootDirectory);

/** Searches all orders in several processes. @returns the results, and what is known of the operators */
async function search(ordersOf) {
  const results = [];
  let orders;
  let known;
  const run = () =>
    new Promise((resolve, reject) => {
      const child = fork(fileURLToPath(new URL('searcher.js', output)));
      const next = () => {
        const order = orders.shift();
        if (order) child.send(order);
        else child.disconnect();
      };
      child.on('message', (message) => {
        if (message.known) {
          known = message.known;
          orders ??= ordersOf(known);
        } else {
          results.push(message);
          process.stderr.write(`${message.name} ${message.variant}: ${outcomeOf(message)}\n`);
        }
        next();
      });
      child.once('error', reject);
      child.once('exit', resolve);
    });
  await Promise.all(Array.from({ length: Number(values.processes) }, run));
  return { results, known };
}

function outcomeOf({ report, error }) {
  if (error) return error;
  const { plans, milliseconds, findings } = report;
  const count = `${findings.length} finding${findings.length === 1 ? '' : 's'}`;
  return `${count}, ${plans.tried} of ${plans.all} plans in ${(milliseconds / 1000).toFixed(1)} s`;
}

/** Searches one variant of every operator. */
async function measure(variant, budget) {
  const begun = performance.now();
  const { results, known } = await search((operators) =>
    operators
      .filter(({ name }) => values.only === undefined || values.only.split(',').includes(name))
      .map(({ name }) => ({ name, variant, ...(budget && { budget }) })),
  );
  return {
    known,
    seconds: (performance.now() - begun) / 1000,
    byName: new Map(results.map((each) => [each.name, each])),
  };
}

const rowOf = (cells) => `| ${cells.join(' | ')} |`;

function tableOf({ known, byName }, twins) {
  const rows = known.flatMap(({ name, bugs, pattern, guard }) => {
    const result = byName.get(name);
    if (!result) return [];
    const [finding] = result.report?.findings ?? [];
    const found = finding
      ? finding.consequence
      : guard
        ? `prevented: ${guard}`
        : (result.error ?? 'not found');
    const twin = twins.byName.get(name);
    const alarms = twin?.report?.findings.map(({ id }) => id).join(', ') ?? twin?.error ?? '';
    return [[bugs.join(', '), pattern, found, finding?.description ?? '', alarms || 'none']];
  });
  return [
    ['bug', 'pattern', 'what `ots torture` says', 'plan', 'findings without the bug'],
    Array(5).fill('---'),
    ...rows,
  ]
    .map(rowOf)
    .join('\n');
}

function summaryOf(bugs, twins) {
  const all = [...bugs.byName.values()];
  const results = [...all, ...twins.byName.values()];
  const reports = results.flatMap(({ report }) => report ?? []);
  const found = all.filter(({ report }) => report?.findings.length > 0);
  const prevented = bugs.known.filter(
    ({ name, guard }) =>
      guard && all.some((each) => each.name === name) && !found.some((each) => each.name === name),
  );
  const tried = reports.reduce((sum, { plans }) => sum + plans.tried, 0);
  // Two processes on a busy or shared machine get less than two cores.
  const milliseconds = results.reduce((sum, { cpuMilliseconds = 0 }) => sum + cpuMilliseconds, 0) / tried;
  const skipped = reports.reduce((sum, { plans }) => sum + plans.skipped, 0);
  const alarmed = [...twins.byName.values()].filter(
    ({ report, error }) => error || report.findings.length > 0,
  );
  const findings = reports.flatMap(({ findings: each }) => each);
  return [
    `- ${found.length} of ${all.length} bugs found and ${prevented.length} prevented by ots-runtime, in ${bugs.seconds.toFixed(0)} s with ${values.processes} processes`,
    `- findings on ${alarmed.length} of ${twins.byName.size} operators without the bug`,
    `- ${findings.filter(({ replays }) => replays).length} of ${findings.length} findings replay with the same writes`,
    `- ${(tried / (bugs.seconds + twins.seconds)).toFixed(0)} plans per second: ${tried} tried, ${skipped} more skipped because they cannot differ`,
    `- ${milliseconds.toFixed(0)} ms of processor time per plan: ${(2000 / milliseconds).toFixed(0)} plans per second on two cores without other work`,
  ].join('\n');
}

await bundle(
  { searcher: fileURLToPath(new URL('test/torture/searcher.ts', rootDirectory)) },
  output,
  isOneOf(['ots-testing', 'ots-runtime', 'ots-kubernetes', 'ots-apiserver']),
);
const bugs = await measure('buggy', values.budget);
const twins = await measure('fixed', values.twins);
const text = `${summaryOf(bugs, twins)}\n\n${tableOf(bugs, twins)}\n`;
process.stdout.write(text);
if (values.write) {
  const [before, rest] = (await readFile(page, 'utf8')).split('<!-- measure -->\n');
  const [, after] = rest.split('<!-- /measure -->');
  await writeFile(page, `${before}<!-- measure -->\n${text}<!-- /measure -->${after}`);
}
