// Compares the public API of ots-runtime, one report for each of its entries, with packages/runtime/api: npm run check:api.
// npm run api writes the reports anew (--local).
import { execa } from 'execa';

const flags = process.argv.slice(2);
const options = { preferLocal: true, stdio: 'inherit' };

await execa('tsc', ['-p', 'packages/runtime/api'], options);
for (const config of ['api-extractor.json', 'api-extractor.pattern.json', 'api-extractor.testing.json']) {
  await execa('api-extractor', ['run', ...flags, '-c', `packages/runtime/${config}`], options);
}
