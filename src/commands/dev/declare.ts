import { type Declare, declareCommand, onRun } from '../shared/declare-command.ts';

/** `ots dev` */
export const declareDev: Declare = (program, context) => {
  const dev = declareCommand(program, {
    name: 'dev',
    description: 'run the operator in a cluster in this process, and again after every change, until Ctrl-C',
    examples: [
      'ots dev',
      'ots dev --once   # for CI: ends when every sample is reconciled',
      'ots dev --data cluster   # again later: the same cluster',
    ],
  })
    .option('--once', 'end when every sample is reconciled and the cluster is quiet: 0, or 1 with the reason')
    .option('--timeout <duration>', 'how long --once may take (default: 60s)')
    .option(
      '--data <directory>',
      'keep the cluster in this directory: the next ots dev on it continues with the same objects (default: all is lost at the end)',
    );
  onRun(dev, context, async () => (await import('./dev.ts')).dev);
};
