import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { tutorialSteps } from '../integration/transcript/tutorial-steps.ts';
import { examples } from '../support/examples.ts';

const pages = { memcached: 'docs/tutorial/memcached.md', 'job-watcher': 'docs/tutorial/job-watcher.md' };

test.each(Object.entries(pages))('the tutorial of %s writes the files of the example', (name, page) => {
  const { directory } = examples.find((example) => basename(example.directory) === name)!;
  for (const step of tutorialSteps(readFileSync(page, 'utf8')))
    if (step.kind === 'file')
      expect(step.text, step.path).toBe(readFileSync(join(directory, step.path), 'utf8'));
});
