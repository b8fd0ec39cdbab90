import { type Command, InvalidArgumentError, Option } from 'commander';
import type { CommonOptions } from '../../common-options.ts';
import type { ConnectionOptions } from '../../deploy/cluster.ts';
import { suggest } from './suggestions.ts';

/** The flags of commands that change a cluster. */
export interface ClusterOptions extends CommonOptions, ConnectionOptions {
  /** A duration in Go's notation. */
  timeout?: string;
  /** Default: that of the context. */
  namespace?: string;
  forceConflicts?: boolean;
  yes?: boolean;
}

/** The flags that choose a cluster. */
export function connectionFlags(command: Command): Command {
  return command
    .option('--kubeconfig <file>', 'kubeconfig of the cluster (default: $KUBECONFIG, or else ~/.kube/config)')
    .option('--context <name>', 'context of the kubeconfig (default: its current-context)')
    .option(
      '-y, --yes',
      'do not ask before the command changes a cluster that is not local, or deletes data',
    );
}

/**
 * The flags of commands that change a cluster and wait for the effect.
 *
 * @param timeout the default, a duration in Go's notation
 */
export function clusterFlags(command: Command, timeout = '3m'): Command {
  const description = `how long to wait (default: ${timeout})`;
  return connectionFlags(command).option('--timeout <duration>', description);
}

/** The flag of commands that work in one namespace. */
export function namespaceFlag(command: Command): Command {
  return command.option(
    '-n, --namespace <name>',
    'namespace (default: that of the context, or else default)',
  );
}

/** The flags of commands that apply objects. @param timeout as for {@link clusterFlags} */
export function applyFlags(command: Command, timeout = '3m'): Command {
  return clusterFlags(command, timeout).option(
    '--force-conflicts',
    'take over fields that other field managers own',
  );
}

/** `--dry-run` and `--dry-run=server`, which are the same: only the server can say what would change in a cluster. */
export function serverDryRun(): Option {
  const option = new Option(
    '--dry-run [server]',
    'ask the server what would change, show it with diffs, and write nothing',
  ).argParser((value: string) => {
    if (value === 'server') return true;
    throw new InvalidArgumentError('Expected server');
  });
  return suggest(option, () => ['server']);
}
