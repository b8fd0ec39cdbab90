import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { page, pagePath } from '../../packages/runtime/test/docs/examples.ts';
import { flagTable, metricTable } from '../../packages/runtime/test/docs/tables.ts';
import { logLevel } from '../../packages/runtime/src/logging/log-level.ts';

// Brought up to date by `npx vitest run --mode update-golden test/docs`.
test.each([
  ['docs/runtime/manager.md', 'flags', flagTable],
  ['docs/runtime/metrics.md', 'metrics', metricTable],
])('%s has the %s that there are', async (name, mark, current) => {
  const text = await page(name);
  const [before = '', rest = ''] = text.split(`<!-- ${mark} -->\n`);
  const [documented, after] = rest.split(`<!-- /${mark} -->`);
  if (process.env['MODE'] === 'update-golden')
    writeFileSync(pagePath(name), `${before}<!-- ${mark} -->\n${current()}<!-- /${mark} -->${after}`);
  else expect(documented).toBe(current());
});

test('docs/runtime/manager.md has the log levels that there are', async () => {
  const [, rows = ''] = (await page('docs/runtime/manager.md')).split('| Text | Level | Shows |\n');
  const documented = [...rows.matchAll(/^\| (?<texts>`.*) \| (?<level>\w+) \| .* \|$/gm)].flatMap(
    ({ groups }) =>
      [...groups!['texts']!.matchAll(/`(\w+)`/g)].map(([, text]) => ({
        text: text!,
        level: groups!['level'],
      })),
  );
  expect(documented).toEqual(documented.map(({ text }) => ({ text, level: logLevel(text) })));
  expect(new Set(documented.map(({ level }) => level)).size).toBe(7);
});
