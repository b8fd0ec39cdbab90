import { type Command, InvalidArgumentError, Option } from 'commander';
import type { CommonOptions } from '../../common-options.ts';
import type { ConnectionOptions } from '../../deploy/cluster.ts';
import { suggest } from './suggestions.ts';

/** The flags of commands that change a cluster. */
export interface ClusterOptions extends CommonOptions, ConnectionOptions {
  /** A duration in Go's notation. */
  timeout?: string;
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

/** The flags of commands that change a cluster and wait for the effect. */
export function clusterFlags(command: Command): Command {
  return connectionFlags(command).option('--timeout <duration>', 'how long to wait (default: 3m)');
}

/** The flag of commands that apply objects. */
export function applyFlags(command: Command): Command {
  return clusterFlags(command).option('--force-conflicts', 'take over fields that other field managers own');
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
