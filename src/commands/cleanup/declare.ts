import { clusterFlags, namespaceFlag, serverDryRun } from '../shared/cluster-options.ts';
import type { Declare } from '../shared/declare-command.ts';
import { declareCommand, onRun } from '../shared/declare-command.ts';

/** `ots cleanup` */
export const declareCleanup: Declare = (program, context) => {
  const cleanup = declareCommand(program, {
    name: 'cleanup',
    description: 'remove an operator that the Operator Lifecycle Manager (OLM) installed, and keep its CRDs',
    dryRun: serverDryRun(),
    examples: [
      'ots cleanup my-operator',
      'ots cleanup my-operator -n web --dry-run',
      'ots cleanup my-operator --delete-crds --yes   # also the CRDs, and all objects of their kinds',
    ],
  })
    .argument('[package]', 'the package of the operator')
    .option('--delete-crds', 'also delete its CRDs, and with them every object of their kinds')
    .option(
      '--delete-all',
      'also delete the CRDs, and the cluster-wide objects of the bundle that OLM leaves',
    )
    .option('--v1', 'use OLM v1: ClusterCatalog and ClusterExtension');
  onRun(namespaceFlag(clusterFlags(cleanup)), context, async () => (await import('./cleanup.ts')).cleanup);
};
