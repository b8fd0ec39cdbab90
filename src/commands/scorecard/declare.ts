import { Option } from 'commander';
import type { Declare } from '../shared/declare-command.ts';
import { declareCommand, onRun } from '../shared/declare-command.ts';
import { suggest } from '../shared/suggestions.ts';

/** `ots scorecard` */
export const declareScorecard: Declare = (program, context) => {
  const scorecard = declareCommand(program, {
    name: 'scorecard',
    description: 'run the tests of a bundle: those of operator-sdk, and your own in TypeScript',
    examples: [
      'ots scorecard bundle',
      'ots scorecard bundle --selector suite=olm --output json',
      'ots scorecard bundle --config config/scorecard/config.yaml --list',
      'ots scorecard bundle --selector suite=custom --wait-time 5m --kubeconfig ~/.kube/config',
    ],
    dryRun: new Option('--dry-run', 'list the tests and run none, as --list'),
  })
    .argument('[directory]', 'the bundle: a directory with manifests/, metadata/ and tests/scorecard/')
    .option(
      '-c, --config <file>',
      'the configuration (default: config.yaml in tests/scorecard/ of the bundle)',
    )
    .option('-l, --selector <selector>', 'run the tests with these labels, such as suite=olm')
    .option('-L, --list', 'list the tests and run none')
    .addOption(
      suggest(new Option('-o, --output <format>', 'text, json or xunit').default('text'), () => [
        'text',
        'json',
        'xunit',
      ]),
    )
    .option('-w, --wait-time <duration>', 'how long all tests together may take', '30s')
    .option('--kubeconfig <file>', 'give custom tests the cluster of this kubeconfig, not the embedded one')
    .option('--context <name>', 'give custom tests the cluster of this context of the kubeconfig instead')
    .option('-y, --yes', 'do not ask before custom tests use a cluster that is not local');
  onRun(scorecard, context, async () => (await import('./scorecard.ts')).scorecard);
};
