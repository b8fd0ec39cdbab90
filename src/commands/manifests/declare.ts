import { Option } from 'commander';
import type { Declare } from '../shared/declare-command.ts';
import { declareCommand, onRun } from '../shared/declare-command.ts';

/** `ots manifests` */
export const declareManifests: Declare = (program, context) => {
  const manifests = declareCommand(program, {
    name: 'manifests',
    description: 'generate CRDs, roles and webhook configurations from the sources',
    examples: [
      'ots manifests',
      'ots manifests --dry-run             # show what would change',
      'ots manifests --check               # for CI: fail if a generated file is out of date',
      'ots manifests --stdout | kubectl apply --dry-run=server -f -',
      'ots manifests --compat origin/main  # for CI: fail if a change breaks users of the API',
      'ots manifests --rbac-from record.json  # say which @rbac tags to add or remove',
      'ots manifests --docs docs/api       # also write the API reference',
      'ots manifests --watch',
    ],
  })
    .addOption(
      new Option('--check', 'fail and show diffs if generated files are out of date').conflicts([
        'stdout',
        'compat',
        'watch',
      ]),
    )
    .addOption(
      new Option(
        '--stdout',
        'print the objects instead of writing files: YAML documents, or a List with --json',
      ).conflicts(['compat', 'docs', 'watch']),
    )
    .addOption(
      new Option(
        '--compat <git-ref>',
        'fail and say why if the CRDs break users of the CRDs at this git revision',
      ).conflicts(['docs', 'watch']),
    )
    .addOption(
      new Option(
        '--rbac-from <file>',
        'say which @rbac tags grant more or less than the requests that a test recorded in this file',
      ).conflicts(['check', 'stdout', 'compat', 'docs', 'watch']),
    )
    .option('--docs <directory>', 'also write a Markdown reference of the API to this directory')
    .addOption(
      new Option('--watch', 'generate again whenever a source changes, until Ctrl-C').conflicts('dryRun'),
    );
  onRun(manifests, context, async () => (await import('./manifests.ts')).manifests);
};
