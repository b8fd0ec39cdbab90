import { Option } from 'commander';
import { type Declare, declareCommand, onRun } from '../shared/declare-command.ts';
import { suggest } from '../shared/suggestions.ts';
import { formats } from './formats.ts';

/** `ots check` */
export const declareCheck: Declare = (program, context) => {
  const check = declareCommand(program, {
    name: 'check',
    description: 'find what does not fit together in a project: files, manifests, samples, rights, packages',
    examples: [
      'ots check',
      'ots check --fix                     # repair what can be repaired without a decision',
      'ots check --fix --dry-run           # show these repairs',
      'ots check --compat origin/main      # also fail if the CRDs break users of the API',
      'ots check --format sarif > ots.sarif',
    ],
  })
    .option('--fix', 'repair findings where this cannot destroy your work, and report the others')
    .option('--compat <git-ref>', 'also compare the CRDs with those at this git revision')
    .addOption(
      suggest(
        new Option(
          '--format <format>',
          'text, github (annotations; the default in GitHub Actions) or sarif',
        ).conflicts('json'),
        () => formats,
      ),
    );
  onRun(check, context, async () => (await import('./check.ts')).check);
};
