import { describe, expect, test } from 'vitest';
import { type Edit, copyPackages, goldenCopy, runIn } from '../support/golden-copy.ts';
import { testWithoutTorture } from './without-torture.ts';

copyPackages();

/** A way to break a project, and what its own `npm test` says then: what is wrong, and what to do. */
interface Break {
  readonly name: string;
  readonly edits: readonly Edit[];
  /** Whether its author ran `npm run manifests` after that. */
  readonly generated?: boolean;
  readonly texts: readonly string[];
}

const [defaulter, validator, list] = [
  'src/webhooks/v1/job-watcher.defaulter.ts',
  'src/webhooks/v1/job-watcher.validator.ts',
  'src/webhooks/index.ts',
];
const conversion = 'src/webhooks/v2/memcached.conversion.ts';
const notDefined = `(undefined as unknown as { x: string }).x`;
const correctTag = (className: string): string =>
  `The API server does not call ${className}: correct its @webhook tag and run \`npm run manifests\``;

const webhooks: readonly Break[] = [
  {
    name: 'the defaulter throws',
    edits: [[defaulter, '??= {};', `??= { a: ${notDefined} };`]],
    texts: [
      'the webhook failed in JobWatcherDefaulter: Cannot read properties of undefined',
      'Correct the handler of the webhook; the log of the operator says where it failed.',
      `${defaulter}:15`,
    ],
  },
  {
    name: 'the validator throws',
    edits: [[validator, '{\n    refuseReservedName(', `{\n    void ${notDefined};\n    refuseReservedName(`]],
    texts: [
      'the webhook failed in JobWatcherValidator: Cannot read properties of undefined',
      'Correct the handler of the webhook; the log of the operator says where it failed.',
      `${validator}:15`,
    ],
  },
  {
    name: 'the validator refuses the sample',
    edits: [[validator, "!== 'jobwatcher') return", "=== 'jobwatcher') return"]],
    texts: [
      'config/samples/batch_v1_jobwatcher.yaml, document 1: The API server refuses JobWatcher "jobwatcher-v1-sample": admission webhook "vjobwatcher-v1.batch.my.github.com" denied the request',
      'Correct the object, or the webhook that refuses it.',
    ],
  },
  {
    name: 'the schema refuses what the defaulter returns',
    edits: [[defaulter, '??= {};', "??= {};\n    resource.spec.message = '';"]],
    texts: [
      'ApiError: JobWatcher.batch.my.github.com "labeled" is invalid: spec.message: Invalid value: ""',
      'It is valid without JobWatcherDefaulter, which must keep it valid.',
      'Correct the fields that the message names, in the object or in the webhook that sets them.',
    ],
  },
  {
    name: 'the tag has a path that no handler serves',
    edits: [[defaulter, '@webhook', '@webhook path=/mutate-jobs']],
    texts: [
      `${defaulter}:11:18: no handler is served at /mutate-jobs`,
      'did you mean /mutate-batch-my-github-com-v1-jobwatcher?',
    ],
  },
  {
    name: 'the tag of the defaulter names another resource',
    edits: [[defaulter, '@webhook', '@webhook resources=jobs']],
    generated: true,
    texts: [correctTag('JobWatcherDefaulter')],
  },
  {
    name: 'the tag of the validator names another verb',
    edits: [[validator, '@webhook', '@webhook verbs=delete']],
    generated: true,
    texts: [correctTag('JobWatcherValidator')],
  },
  {
    name: 'the defaulter is not set up',
    edits: [[list, '  setupJobWatcherV1Defaulter,\n', '']],
    texts: [
      'failed to call webhook: the operator does not serve /mutate-batch-my-github-com-v1-jobwatcher; it serves /validate-batch-my-github-com-v1-jobwatcher',
      `Add its setup function to the list in ${list}, or correct the path in its @webhook tag and run npm run manifests.`,
    ],
  },
  {
    name: 'no webhook is set up',
    edits: [[list, /  setupJobWatcherV1\w+,\n/g, '']],
    texts: [
      'service "webhook-service" not found',
      `Start what serves the webhook; in a test, that is a manager with the setup functions of ${list}.`,
    ],
  },
  {
    name: 'the manifests are stale',
    edits: [[defaulter, '@webhook', '@webhook timeoutSeconds=5']],
    texts: [
      'error: 1 generated file is out of date: config/webhook/manifests.yaml',
      'hint: Run ots manifests and commit the result.',
    ],
  },
  {
    name: 'a controller lacks a right',
    edits: [
      ['src/controllers/job-watcher.controller.ts', /(resources=jobwatchers\/status verbs=)\S+/, '$1get'],
    ],
    generated: true,
    texts: [
      '@rbac groups=batch.my.github.com resources=jobwatchers/status verbs=patch is missing from JobWatcherReconciler',
      'Add the tag to the comment of the class that needs it, then run npm run manifests.',
    ],
  },
];

const isLost =
  'memcachedV2Conversion loses or changes a field: keep what a version cannot express in an annotation';

const conversions: readonly Break[] = [
  {
    name: 'it throws',
    edits: [[conversion, '...spoke,', `...spoke, a: ${notDefined},`]],
    texts: [
      `Object.convertTo ${conversion}:13`,
      'conversion webhook for cache.example.com/v2, Kind=Memcached failed: Memcached default/memcached-v2-sample: Cannot read properties of undefined',
      'Correct the conversion; the log of the operator says where it failed.',
    ],
  },
  {
    name: 'it loses a field',
    edits: [
      [
        conversion,
        '(spoke) => ({ ...spoke,',
        '({ spec: { replicas: _, ...spec }, ...spoke }) => ({ ...spoke, spec,',
      ],
    ],
    texts: [isLost, '-     "replicas": 1'],
  },
  {
    name: 'it returns another version',
    edits: [
      [
        conversion,
        "...spoke, apiVersion: 'cache.example.com/v1'",
        "...spoke, apiVersion: 'cache.example.com/v3'",
      ],
    ],
    texts: ['Let convertTo return v1', 'Received: "cache.example.com/v3"'],
  },
  {
    name: 'it changes the name',
    edits: [[conversion, '...spoke,', "...spoke, metadata: { ...spoke.metadata, name: 'other' },"]],
    texts: [
      isLost,
      'the conversion of Memcached from cache.example.com/v2 to cache.example.com/v1 changes metadata.name',
      'Copy the metadata unchanged.',
    ],
  },
  {
    name: 'it is not set up',
    edits: [[list, '  setupMemcachedV2Conversion,\n', '']],
    texts: [
      'The API server does not call memcachedV2Conversion: ',
      `add setupMemcachedV2Conversion to the list in ${list}`,
    ],
  },
  {
    name: 'its tag is missing',
    edits: [[conversion, / \*\n \* @conversion.*\n/, '']],
    generated: true,
    texts: ['The API server does not call memcachedV2Conversion: ', 'correct its @conversion tag'],
  },
];

async function npmTest(
  golden: string,
  { edits, generated }: Break,
  args: readonly string[] = testWithoutTorture,
): ReturnType<typeof runIn> {
  const project = goldenCopy(golden, edits);
  if (generated) await project.succeed('manifests');
  return runIn(project, 'npm', ...args);
}

describe('npm test of a scaffolded project', () => {
  test('passes as long as nothing is broken', async () => {
    const { exitCode, all } = await npmTest('jobwatcher', { name: '', edits: [], texts: [] }, ['test']);
    expect(exitCode, all).toBe(0);
    expect(all).not.toContain('ERROR');
  });

  test.each(webhooks)('fails and says what to do when $name', async (broken) => {
    const { exitCode, all } = await npmTest('jobwatcher', broken);
    expect(exitCode).not.toBe(0);
    for (const text of broken.texts) expect(all).toContain(text);
    expect(all).not.toContain('Unhandled');
  });

  // A scaffolded conversion is not written yet.
  const written: Edit = [conversion, / \* TODO: write[^]*? \*\n/, ''];
  test.each([{ name: 'it is written', edits: [], texts: [] }, ...conversions])(
    'passes or fails with a conversion, and says what to do: $name',
    async (broken) => {
      const { exitCode, all } = await npmTest('versions', { ...broken, edits: [written, ...broken.edits] });
      expect(exitCode === 0, all).toBe(broken.texts.length === 0);
      for (const text of broken.texts) expect(all).toContain(text);
      expect(all).not.toContain('Unhandled');
    },
  );
});
