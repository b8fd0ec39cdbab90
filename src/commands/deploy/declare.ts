import type { Command } from 'commander';
import { applyFlags, clusterFlags, serverDryRun } from '../shared/cluster-options.ts';
import type { Declare } from '../shared/declare-command.ts';
import { declareCommand, onRun } from '../shared/declare-command.ts';

/** `ots deploy` */
export const declareDeploy: Declare = (program, context) => {
  const deploy = declareCommand(program, {
    name: 'deploy',
    description: 'apply the operator and everything it needs to a cluster, and wait until it is ready',
    dryRun: serverDryRun(),
    examples: [
      'ots deploy --image registry.example.com/team/jobwatcher:v1',
      'ots deploy --dry-run=server        # shows what would change',
      'ots deploy --context staging --yes --timeout 5m',
    ],
  });
  onRun(imageFlag(applyFlags(deploy)), context, async () => (await import('./deploy.ts')).deploy);
};

/** `ots undeploy` */
export const declareUndeploy: Declare = (program, context) => {
  const undeploy = declareCommand(program, {
    name: 'undeploy',
    description: 'delete the operator, its CRDs and every object of their kinds from a cluster',
    dryRun: serverDryRun(),
    examples: ['ots undeploy', 'ots undeploy --yes   # also if objects exist'],
  });
  onRun(clusterFlags(undeploy), context, async () => (await import('./undeploy.ts')).undeploy);
};

/** `ots build-installer` */
export const declareBuildInstaller: Declare = (program, context) => {
  const buildInstaller = declareCommand(program, {
    name: 'build-installer',
    description: 'write everything that deploy applies to one file, for kubectl apply --server-side -f',
    examples: [
      'ots build-installer --image registry.example.com/team/jobwatcher:v1',
      'ots build-installer --output - | kubectl apply --server-side -f -',
    ],
  }).option('-o, --output <file>', 'file to write, or - for standard output (default: dist/install.yaml)');
  onRun(
    imageFlag(buildInstaller),
    context,
    async () => (await import('./build-installer.ts')).buildInstaller,
  );
};

function imageFlag(command: Command): Command {
  return command.option(
    '--image <image>',
    'image of the operator (default: $IMG, or else the one in config/manager)',
  );
}
