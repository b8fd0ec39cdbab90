// What `import 'ots-runtime'` costs over a bare Node: time to start, and resident memory.
import { execa } from 'execa';
import { median } from '../median.mjs';

/** Over bare Node, in milliseconds and MB. */
const budget = { ms: 120, mb: 25 };
const runCount = 15;

const entry = new URL('../../packages/runtime/dist/index.js', import.meta.url).href;
const report =
  'console.log(JSON.stringify({ ms: performance.now(), mb: process.memoryUsage.rss() / 2 ** 20 }))';

async function start(code) {
  const { stdout } = await execa(process.execPath, ['--input-type=module', '-e', `${code}${report}`]);
  return JSON.parse(stdout);
}

/**
 * Prints it.
 * @returns whether it is within the budget
 */
export async function isImportWithinBudget() {
  const bare = [];
  const imported = [];
  // By turns: whatever else the machine does then costs both the same.
  for (let run = 0; run < runCount; run += 1) {
    bare.push(await start(''));
    imported.push(await start(`await import(${JSON.stringify(entry)});`));
  }
  const over = (figure) =>
    median(imported.map((one) => one[figure])) - median(bare.map((one) => one[figure]));
  const [ms, mb] = [over('ms'), over('mb')];
  const isWithin = ms <= budget.ms && mb <= budget.mb;
  console.log(
    `import of ots-runtime over bare node: ${ms.toFixed(0)} ms, ${mb.toFixed(1)} MB ` +
      `(budget: ${budget.ms} ms, ${budget.mb} MB)${isWithin ? '' : ': EXCEEDED'}`,
  );
  return isWithin;
}
