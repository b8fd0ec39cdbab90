import { beforeAll, expect, test } from 'vitest';
import { assertFreshBuild } from '../support/assert-fresh-build.ts';
import { type Edit, goldenCopy, runIn } from '../support/golden-copy.ts';

// The other ways to break them take too long here: test/integration/scaffold-broken.test.ts.

// The project loads the packages as they were built.
beforeAll(assertFreshBuild);

test.each<[string, string, Edit, string[]]>([
  [
    'a defaulter that throws',
    'jobwatcher',
    [
      'src/webhooks/v1/job-watcher.defaulter.ts',
      'resource.metadata.labels ??= {};',
      'resource.metadata.labels!.a = resource.metadata.annotations!.a!;',
    ],
    [
      'the webhook failed in JobWatcherDefaulter: ',
      'Correct the handler of the webhook; the log of the operator says where it failed.',
      /* of the log */ 'src/webhooks/v1/job-watcher.defaulter.ts:15',
    ],
  ],
  [
    'a conversion that is not set up',
    'versions',
    ['src/webhooks/index.ts', '  setupMemcachedV2Conversion,\n', ''],
    [
      'The API server does not call memcachedV2Conversion: ',
      'add setupMemcachedV2Conversion to the list in src/webhooks/index.ts',
    ],
  ],
])('the tests of a scaffolded project fail and say what to do: %s', async (_, golden, edit, texts) => {
  const project = goldenCopy(golden, [edit]);
  const { exitCode, all } = await runIn(project, 'npx', 'vitest', 'run', 'defaulter', 'conversion');
  expect(exitCode).toBe(1);
  for (const text of texts) expect(all).toContain(text);
  expect(all).not.toContain('Unhandled');
});
