import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { run } from '../support/run.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

test('templates are already formatted for names of usual length', async () => {
  vi.doMock('oxfmt', () => {
    throw new Error('the formatter was loaded');
  });
  const directory = join(temporaryDirectory(), 'p');
  mkdirSync(directory);
  const gvk = ['--group', 'batch', '--version', 'v1', '--kind', 'JobWatcher'];
  for (const step of [
    ['init', '--skip-install', '--domain', 'example.com', '--project-name', 'jobwatcher'],
    ['create', 'api', ...gvk],
    ['create', 'webhook', ...gvk, '--defaulting', '--programmatic-validation'],
    ['create', 'api', '--group', 'batch', '--version', 'v2', '--kind', 'JobWatcher'],
    ['create', 'webhook', ...gvk, '--conversion', '--spoke', 'v2'],
  ]) {
    expect(await run(directory, step), step.join(' ')).toMatchObject({ code: 0, stderr: '' });
  }
});
