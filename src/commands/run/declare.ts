import { connectionFlags } from '../shared/cluster-options.ts';
import type { Declare } from '../shared/declare-command.ts';
import { declareCommand, onRun } from '../shared/declare-command.ts';

/** `ots run` */
export const declareRun: Declare = (program, context) => {
  const run = declareCommand(program, {
    name: 'run',
    description:
      'build the operator and run it on this machine against a cluster, without webhooks, until Ctrl-C',
    examples: [
      'ots run                                # in the cluster of the current context, with your rights',
      'ots run --context kind-dev --zap-devel # flags that ots does not know, and all after them, are for the operator',
    ],
  })
    .argument('[flags...]', 'flags for the operator; node dist/main.js --help lists them')
    .allowUnknownOption()
    .passThroughOptions();
  onRun(connectionFlags(run), context, async () => (await import('./run.ts')).run);
};
