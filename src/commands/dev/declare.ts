import { Option } from 'commander';
import { connectionFlags } from '../shared/cluster-options.ts';
import { type Declare, declareCommand, onRun } from '../shared/declare-command.ts';

/** `ots dev` */
export const declareDev: Declare = (program, context) => {
  const dev = declareCommand(program, {
    name: 'dev',
    description: 'run the operator in a cluster in this process, and again after every change, until Ctrl-C',
    examples: [
      'ots dev',
      'ots dev --once   # for CI: ends when every sample is reconciled',
      'ots dev --keep   # again later: the same cluster',
      'ots dev --clock fast   # hours pass in seconds',
      'ots dev --context kind-test   # in a cluster that runs already',
    ],
  })
    .option('--once', 'end when every sample is reconciled and the cluster is quiet: 0, or 1 with the reason')
    .option('--timeout <duration>', 'how long --once may take (default: 60s)')
    .option(
      '--keep',
      'keep the cluster for the next ots dev --keep of the project (default: all is lost at the end)',
    )
    .option('--data <directory>', 'keep the cluster in this directory instead')
    .addOption(
      new Option(
        '--clock <speed>',
        'how time passes in the cluster: fast is ten minutes per second while the operator waits',
      )
        .choices(['real', 'fast'])
        .default('real'),
    );
  onRun(connectionFlags(dev), context, async () => (await import('./dev.ts')).dev);
};
