import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { ConnectionConfig } from 'ots-runtime';
import type { Context } from '../../context.ts';
import { UsageError } from '../../errors/usage-error.ts';
import { workingDirectory } from '../shared/report-options.ts';
import { confirmCluster, connectionOf } from '../shared/with-cluster.ts';
import type { DevOptions } from './dev.ts';

/** Where `ots dev` keeps files of a project, from its root. */
const cache = 'node_modules/.cache/ots-dev';

/** The cluster of a session. */
export interface ClusterChoice {
  /** The path of the kubeconfig of its administrator; several with the separator of `KUBECONFIG`. */
  readonly kubeconfig: string;
  /** Absent for the embedded one. */
  readonly existing?: ConnectionConfig;
  /** The directory that keeps the embedded one; absent for one that is lost at the end. */
  readonly data?: string;
}

/**
 * Chooses the cluster: the embedded one, unless a flag names another one. Asks before it uses one that is not local.
 *
 * @param root absolute path of the project
 * @throws UsageError for flags that exclude each other; OtsError without a usable kubeconfig, `NOT_LOCAL`, `CANCELED`
 */
export async function chooseCluster(
  root: string,
  options: DevOptions,
  context: Context,
): Promise<ClusterChoice> {
  const directory = workingDirectory(options, context);
  if (options.kubeconfig === undefined && options.context === undefined) {
    const data = options.data ?? (options.keep ? join(root, cache, 'cluster') : undefined);
    return {
      kubeconfig: join(root, cache, 'kubeconfig'),
      ...(data !== undefined && { data: resolve(directory, data) }),
    };
  }
  refuseEmbeddedFlags(options);
  const existing = await connectionOf(options, context);
  if (!options.dryRun) await confirmCluster('dev', existing, options, context);
  const { KUBECONFIG: variable, HOME: home = homedir() } = context.env;
  const kubeconfig = options.kubeconfig === undefined ? undefined : resolve(directory, options.kubeconfig);
  return { existing, kubeconfig: kubeconfig ?? (variable || join(home, '.kube/config')) };
}

/** @throws UsageError `EMBEDDED_ONLY` for a flag about the embedded cluster */
function refuseEmbeddedFlags({ keep, data, clock }: DevOptions): void {
  const flag = keep
    ? '--keep'
    : data !== undefined
      ? '--data'
      : clock === 'fast'
        ? '--clock fast'
        : undefined;
  if (flag === undefined) return;
  throw new UsageError('EMBEDDED_ONLY', `${flag} is about the embedded cluster`, {
    hint: `Remove ${flag}, or remove --kubeconfig and --context to use the embedded cluster.`,
  });
}
