import type { Command } from 'commander';
import { clusterFlags, connectionFlags, namespaceFlag, serverDryRun } from '../shared/cluster-options.ts';
import type { Declare } from '../shared/declare-command.ts';
import { declareCommand, onRun } from '../shared/declare-command.ts';

/** `ots run` and its commands */
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
  declareRunBundle(run, context);
  declareBundleUpgrade(run, context);
};

const declareRunBundle: Declare = (run, context) => {
  const bundle = declareCommand(run, {
    name: 'bundle',
    description:
      'install a bundle with the Operator Lifecycle Manager (OLM), and wait until the operator runs',
    dryRun: serverDryRun(),
    examples: [
      'ots run bundle bundle                            # from a directory, without a push of its image',
      'ots run bundle bundle -n web --install-mode OwnNamespace',
      'ots run bundle bundle --v1 --catalog-image registry.example.com/my-catalog:v0.0.1',
    ],
  }).option(
    '--install-mode <mode>',
    'AllNamespaces, OwnNamespace, SingleNamespace=<namespace> or MultiNamespace=<namespaces>, for a new OperatorGroup',
  );
  onRun(bundleFlags(bundle), context, async () => (await import('./bundle.ts')).bundle);
};

const declareBundleUpgrade: Declare = (run, context) => {
  const upgrade = declareCommand(run, {
    name: 'bundle-upgrade',
    description: 'upgrade an operator that ots run bundle installed, and wait until the new version runs',
    dryRun: serverDryRun(),
    examples: [
      'ots run bundle-upgrade bundle',
      'ots run bundle-upgrade bundle --v1 --catalog-image registry.example.com/my-catalog:v0.0.2',
    ],
  });
  onRun(bundleFlags(upgrade), context, async () => (await import('./bundle-upgrade.ts')).bundleUpgrade);
};

function bundleFlags(command: Command): Command {
  return namespaceFlag(clusterFlags(command, '5m'))
    .argument('[bundle]', 'the bundle: a directory with manifests/ and metadata/')
    .option('--catalog-server <image>', 'image with opm, which serves the bundle to OLM')
    .option('--pull-secret <name>', 'Secret in the namespace to pull the image of --catalog-server with')
    .option('--keep', 'keep what a failed run has created, to look at it')
    .option('--v1', 'use OLM v1: ClusterCatalog and ClusterExtension')
    .option('--catalog-image <image>', 'with --v1: the image of a catalog that has the bundle')
    .option('--service-account <name>', 'with --v1: the ServiceAccount that older versions of OLM v1 need');
}
