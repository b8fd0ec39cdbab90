import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { subjects } from './subjects.ts';
import { tableOf } from './table.ts';

// `npm run golden` updates it.
test('README.md lists all operators', () => {
  const path = `${import.meta.dirname}/README.md`;
  const [before = '', rest = ''] = readFileSync(path, 'utf8').split('<!-- operators -->\n');
  const [documented, after] = rest.split('<!-- /operators -->');
  const current = `${tableOf(subjects)}\n`;
  if (process.env['MODE'] === 'update-golden' && documented !== current)
    writeFileSync(path, `${before}<!-- operators -->\n${current}<!-- /operators -->${after}`);
  else expect(documented).toBe(current);
});
