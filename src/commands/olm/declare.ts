import type { Command } from 'commander';
import { applyFlags, clusterFlags, connectionFlags, serverDryRun } from '../shared/cluster-options.ts';
import type { Declare } from '../shared/declare-command.ts';
import { declareCommand, examplesText, onRun } from '../shared/declare-command.ts';

/** `ots olm` and its commands */
export const declareOlm: Declare = (program, context) => {
  const olm = program
    .command('olm')
    .description('install the Operator Lifecycle Manager (OLM) into a cluster, look at it, and remove it')
    .helpCommand(false)
    .addHelpText(
      'after',
      examplesText(['ots olm install', 'ots olm install --v1', 'ots olm status', 'ots olm uninstall']),
    );
  declareInstall(olm, context);
  declareStatus(olm, context);
  declareUninstall(olm, context);
};

const declareInstall: Declare = (olm, context) => {
  const install = declareCommand(olm, {
    name: 'install',
    description: 'install OLM from its release on GitHub or from files, and wait until it runs',
    dryRun: serverDryRun(),
    examples: [
      'ots olm install                       # the version that ots was tested with',
      'ots olm install --version 0.45.0',
      'ots olm install --manifests olm/      # offline: a directory with crds.yaml and olm.yaml',
      'ots olm install --v1                  # needs cert-manager',
    ],
  });
  const flags = manifestFlags(applyFlags(install, '5m'));
  onRun(flags, context, async () => (await import('./install.ts')).install);
};

const declareStatus: Declare = (olm, context) => {
  const status = declareCommand(olm, {
    name: 'status',
    description: 'list the objects of OLM and their states; fails if something is missing or not ready',
    examples: ['ots olm status', 'ots olm status --v1 --json', 'ots olm status --manifests olm/'],
  });
  const flags = manifestFlags(connectionFlags(status));
  onRun(flags, context, async () => (await import('./status.ts')).status);
};

const declareUninstall: Declare = (olm, context) => {
  const uninstall = declareCommand(olm, {
    name: 'uninstall',
    description: 'remove OLM from a cluster; refuses while it has operators',
    dryRun: serverDryRun(),
    examples: ['ots olm uninstall', 'ots olm uninstall --force   # also removes all operators'],
  }).option('--force', 'also if OLM still has operators, which go with it');
  const flags = manifestFlags(clusterFlags(uninstall));
  onRun(flags, context, async () => (await import('./uninstall.ts')).uninstall);
};

function manifestFlags(command: Command): Command {
  return command
    .option('--manifests <path>', "OLM's manifests: a file, or a directory with YAML files")
    .option('--version <version>', "version of OLM's release on GitHub, such as 0.46.0")
    .option('--v1', 'OLM v1: ClusterCatalog and ClusterExtension');
}
