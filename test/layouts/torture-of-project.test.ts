import { expect, test } from 'vitest';
import { type Edit, copyPackages, goldenCopy, runIn } from '../support/golden-copy.ts';

copyPackages();

const path = 'src/controllers/job-watcher.torture.test.ts';
// One plan, as all of them take long.
const plan: Edit = [
  path,
  "{ budget: '10s' }",
  "{ plans: [{ phase: 'refusal', answer: 'Conflict', step: 0, write: 1 }] }",
];
const bug: Edit = [
  'src/controllers/job-watcher.controller.ts',
  '    });\n    context.logger',
  '    }).catch(() => {});\n    context.logger',
];

test.each([
  ['passes', [plan], 0, 'Tests  1 passed'],
  ['fails when the operator ignores that its write was refused', [plan, bug], 1, 'refusal'],
] as const)('the torture test of a scaffolded project %s', async (_, edits, code, text) => {
  const { exitCode, all } = await runIn(goldenCopy('jobwatcher', edits), 'npx', 'vitest', 'run', path);
  expect([exitCode, all]).toEqual([code, expect.stringContaining(text)]);
});
