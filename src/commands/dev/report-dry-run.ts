import type { CommonOptions } from '../../common-options.ts';
import type { Context } from '../../context.ts';
import { readConfiguration } from '../../dev/session/installation.ts';
import { oneLine } from '../../output/one-line.ts';
import type { ClusterChoice } from './choose-cluster.ts';

/**
 * Says which operator `ots dev` would run, as whom and in which cluster.
 *
 * @param root absolute path of the project
 * @throws InstallError when the manifests cannot be read; OtsError `NO_OPERATOR`
 */
export async function reportDryRun(
  root: string,
  choice: ClusterChoice,
  { json, quiet }: CommonOptions,
  { stdout }: Context,
): Promise<void> {
  const { namespace, serviceAccount } = (await readConfiguration(root)).deployment;
  const user = `system:serviceaccount:${namespace}:${serviceAccount}`;
  const server = choice.existing?.server ?? null;
  const data = choice.data ?? null;
  if (json) return void stdout.write(`${JSON.stringify({ command: 'dev', root, user, server, data })}\n`);
  if (quiet) return;
  const cluster = server === null ? 'the embedded cluster' : `the cluster ${oneLine(server)}`;
  stdout.write(`Would run src/main.ts as ${user} in ${cluster}${data === null ? '' : `, kept in ${data}`}\n`);
}
