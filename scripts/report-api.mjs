// Compares the public API of ots-runtime, one report for each of its entries, with packages/runtime/api: npm run check:api.
// npm run api writes the reports anew (--local).
import { execa } from 'execa';

const flags = process.argv.slice(2);
const run = (command, args) => execa(command, args, { preferLocal: true, stdio: 'inherit' });

await run('tsc', ['-p', 'packages/runtime/api']);
for (const config of ['api-extractor.json', 'api-extractor.pattern.json', 'api-extractor.testing.json']) {
  await run('api-extractor', ['run', ...flags, '-c', `packages/runtime/${config}`]);
}
