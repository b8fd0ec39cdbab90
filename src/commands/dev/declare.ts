import { Option } from 'commander';
import { type Declare, declareCommand, onRun } from '../shared/declare-command.ts';

/** `ots dev` */
export const declareDev: Declare = (program, context) => {
  const dev = declareCommand(program, {
    name: 'dev',
    description: 'run the operator in a cluster in this process, and again after every change, until Ctrl-C',
    dryRun: new Option('--dry-run', 'say what would run and where, and write nothing'),
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
    )
    .option('--kubeconfig <file>', 'use the cluster of this kubeconfig instead of the embedded one')
    .option('--context <name>', 'use the cluster of this context of the kubeconfig instead')
    .option('-y, --yes', 'do not ask before ots dev uses a cluster that is not local');
  onRun(dev, context, async () => (await import('./dev.ts')).dev);
};
