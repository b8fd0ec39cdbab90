import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { tutorialSteps } from '../integration/transcript/tutorial-steps.ts';
import { examples } from '../support/examples.ts';

const pages = { memcached: 'docs/tutorial/memcached.md', 'job-watcher': 'docs/tutorial/job-watcher.md' };

test.each(Object.entries(pages))('the tutorial of %s writes the files of the example', (name, page) => {
  const { directory } = examples.find((example) => basename(example.directory) === name)!;
  const files = tutorialSteps(readFileSync(page, 'utf8')).filter((step) => step.kind === 'file');
  expect(files.map(({ path, text }) => [path, text])).toEqual(
    files.map(({ path }) => [path, readFileSync(join(directory, path), 'utf8')]),
  );
});
