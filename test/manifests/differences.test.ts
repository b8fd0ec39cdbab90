import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { differences } from './controller-gen/differences.ts';

test('the document describes exactly the differences to controller-gen in this order', () => {
  const text = readFileSync(new URL('../../docs/manifests-differences.md', import.meta.url), 'utf8');
  const headings = Array.from(text.matchAll(/^## (.+)$/gm), ([, heading]) => heading!);
  expect(headings).toEqual(differences.map(({ name }) => name));
  for (const { option } of differences) if (option) expect(text).toContain(`\`${option}\``);
});
