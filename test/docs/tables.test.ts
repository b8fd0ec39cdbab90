import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { page, pagePath } from '../../packages/runtime/test/docs/examples.ts';
import { flagTable, metricTable } from '../../packages/runtime/test/docs/tables.ts';
import { logLevel } from '../../packages/runtime/src/logging/log-level.ts';

// `npm run golden` updates them.
test.each([
  ['docs/runtime/manager.md', 'flags', flagTable],
  ['docs/runtime/metrics.md', 'metrics', metricTable],
])('%s lists all %s', async (name, mark, current) => {
  const text = await page(name);
  const [before = '', rest = ''] = text.split(`<!-- ${mark} -->\n`);
  const [documented, after] = rest.split(`<!-- /${mark} -->`);
  if (process.env['MODE'] === 'update-golden' && documented !== current())
    writeFileSync(pagePath(name), `${before}<!-- ${mark} -->\n${current()}<!-- /${mark} -->${after}`);
  else expect(documented).toBe(current());
});

test('docs/runtime/manager.md lists all log levels', async () => {
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
