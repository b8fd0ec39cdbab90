import { applyFlags, clusterFlags, serverDryRun } from '../shared/cluster-options.ts';
import type { Declare } from '../shared/declare-command.ts';
import { declareCommand, onRun } from '../shared/declare-command.ts';

/** `ots install` */
export const declareInstall: Declare = (program, context) => {
  const install = declareCommand(program, {
    name: 'install',
    description: "apply the project's CRDs to a cluster, and wait until it serves them",
    dryRun: serverDryRun(),
    examples: [
      'ots install                        # into the cluster of the current context',
      'ots install --dry-run=server       # shows what would change',
      'ots install --context staging --yes',
    ],
  });
  onRun(applyFlags(install), context, async () => (await import('./install.ts')).install);
};

/** `ots uninstall` */
export const declareUninstall: Declare = (program, context) => {
  const uninstall = declareCommand(program, {
    name: 'uninstall',
    description: "delete the project's CRDs from a cluster, and with them every object of their kinds",
    dryRun: serverDryRun(),
    examples: ['ots uninstall', 'ots uninstall --yes   # also if objects exist'],
  });
  onRun(clusterFlags(uninstall), context, async () => (await import('./uninstall.ts')).uninstall);
};
