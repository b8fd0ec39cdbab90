const gvk = (group: string, version: string, kind: string): string[] => [
  '--group',
  group,
  '--version',
  version,
  '--kind',
  kind,
];
const init = ['init', '--domain', 'example.com', '--project-name', 'jobwatcher'];
const api = ['create', 'api', ...gvk('batch', 'v1', 'JobWatcher')];

/**
 * What an author does, step by step; after each step everything in the project must work. `unwritten` is a conversion that
 * the step leaves to the author, whose test fails until then.
 */
export const scenarios: Record<string, { step: string; args: string[][]; unwritten?: string }[]> = {
  'one group': [
    { step: 'init', args: [init] },
    { step: 'api', args: [api] },
    {
      step: 'webhook',
      args: [
        [
          'create',
          'webhook',
          ...gvk('batch', 'v1', 'JobWatcher'),
          '--defaulting',
          '--programmatic-validation',
        ],
      ],
    },
    {
      step: 'second version with conversion',
      args: [
        ['create', 'api', ...gvk('batch', 'v2', 'JobWatcher')],
        ['create', 'webhook', ...gvk('batch', 'v1', 'JobWatcher'), '--conversion', '--spoke', 'v2'],
      ],
      unwritten: 'src/webhooks/v2/job-watcher.conversion.ts',
    },
    { step: 'core type', args: [['create', 'api', ...gvk('apps', 'v1', 'Deployment'), '--resource=false']] },
    {
      step: 'external type',
      args: [['create', 'api', ...gvk('cert-manager', 'v1', 'Certificate'), '--external-api-domain', 'io']],
    },
    {
      step: 'multigroup',
      args: [
        ['edit', '--multigroup'],
        ['create', 'api', ...gvk('crew', 'v1', 'Captain'), '--namespaced=false'],
      ],
    },
    {
      step: 'webhook of a core type',
      args: [['create', 'webhook', ...gvk('core', 'v1', 'Pod'), '--programmatic-validation']],
    },
  ],
  namespaced: [
    { step: 'init', args: [[...init, '--namespaced']] },
    {
      step: 'api and conversion alone',
      args: [
        api,
        ['create', 'api', ...gvk('batch', 'v2', 'JobWatcher')],
        ['create', 'webhook', ...gvk('batch', 'v1', 'JobWatcher'), '--conversion', '--spoke', 'v2'],
      ],
      unwritten: 'src/webhooks/v2/job-watcher.conversion.ts',
    },
  ],
};
