import { expect, test } from 'vitest';
import { removeEntry } from '../../src/check/fixes/remove-entry.ts';

test.each([
  ['resources:\n  - a.yaml # a\n  - b.yaml\n# end\n', 'a.yaml', 'resources:\n  - b.yaml\n# end\n'],
  ['resources:\n  - a.yaml\nimages: []\n', 'a.yaml', 'resources: []\nimages: []\n'],
  ['resources:\n  - a.yaml', 'b.yaml', 'resources:\n  - a.yaml'],
  ['resources: [a.yaml, b.yaml]\n', 'a.yaml', 'resources: [a.yaml, b.yaml]\n'],
])('%j without %s is %j', (text, entry, expected) => {
  expect(removeEntry(text, 'resources', entry)).toBe(expected);
});
