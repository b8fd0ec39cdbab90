import { Argument, Option } from 'commander';
import { type Declare, declareCommand, onRun } from '../shared/declare-command.ts';
import { unique } from '../shared/resource-flags.ts';
import { suggest } from '../shared/suggestions.ts';

/** `ots torture` */
export const declareTorture: Declare = (program, context) => {
  const torture = declareCommand(program, {
    name: 'torture',
    description:
      'search for bugs of the operator: let it crash, see old states and lose requests at every point of the life of an object',
    dryRun: new Option('--dry-run', 'say what would be searched, or show the test, and write nothing'),
    examples: [
      'ots torture',
      'ots torture Memcached --full              # every plan, however long it takes',
      'ots torture --junit torture.xml --html torture.html',
      'ots torture --replay crash-converges-services      # a finding of the last run',
      'ots torture --write-test crash-converges-services  # a test that fails while the bug exists',
    ],
  })
    .addArgument(
      suggest(
        new Argument(
          '[sample...]',
          'files or kinds of samples (default: those in config/samples whose kind has a controller)',
        ),
        (line) =>
          unique(
            line
              .resources([])
              .filter(({ controller, controllers }) => controller || controllers.length > 0)
              .map(({ kind }) => kind),
          ),
      ),
    )
    .option('--budget <duration>', 'how long the search with all samples may take', '60s')
    .addOption(new Option('--full', 'try all plans, however long it takes').conflicts('budget'))
    .option('--seed <number>', 'decides all chance (default: 1)')
    .addOption(
      new Option(
        '--replay <finding>',
        'try one plan: of a finding of the last run, as JSON, or in a file',
      ).conflicts(['budget', 'full']),
    )
    .addOption(
      new Option(
        '--write-test <finding>',
        'write a test that fails while a finding of the last run exists, and search nothing',
      ).conflicts(['budget', 'full', 'seed', 'replay', 'junit', 'html']),
    )
    .option('--junit <file>', 'write the result as JUnit XML, too')
    .option('--html <file>', 'write the result as a page, too');
  onRun(torture, context, async () => (await import('./torture.ts')).torture);
};
