import { resolve } from 'node:path';
import { type ConnectionConfig, type UnstructuredObject, toMilliseconds } from 'ots-runtime';
import type { Context } from '../../context.ts';
import { type Cluster, connect, loadConnection } from '../../deploy/cluster.ts';
import { explainError } from '../../deploy/explain-error.ts';
import { isLocal } from '../../deploy/is-local.ts';
import { type Build, parseObjects } from '../../deploy/kustomize.ts';
import { Deadline } from '../../deploy/poll.ts';
import { InterruptedError } from '../../errors/interrupted-error.ts';
import { OtsError } from '../../errors/ots-error.ts';
import { UsageError } from '../../errors/usage-error.ts';
import { oneLine } from '../../output/one-line.ts';
import { paint } from '../../output/paint.ts';
import { ObjectsReport } from './objects-report.ts';
import { quoted } from '../../project/names/quoted.ts';
import { confirm } from '../../prompts/confirm.ts';
import type { ClusterOptions } from './cluster-options.ts';
import { reportOptions, workingDirectory } from './report-options.ts';

/** What a command that changes a cluster works with. */
export interface ClusterWork {
  readonly cluster: Cluster;
  readonly report: ObjectsReport;
  /** Of namespaced objects that do not name their own. */
  readonly namespace: string;
  /** When `--timeout` is over. */
  readonly deadline: Deadline;
}

/**
 * Runs a command on the cluster that its flags choose: asks before it changes one that is not local, ends with a signal, explains errors,
 * and reports.
 *
 * @param command its name, for the report and the question
 * @param work returns further facts for `--json`
 * @throws InterruptedError after a signal; OtsError `NOT_LOCAL` without a terminal, and what the work throws
 */
export async function withCluster(
  command: string,
  options: ClusterOptions,
  context: Context,
  work: (work: ClusterWork) => Promise<object | void>,
): Promise<void> {
  const timeout = parseTimeout(options.timeout);
  const connection = await connectionOf(options, context);
  if (!options.dryRun) await confirmCluster(command, connection, options, context);
  const report = new ObjectsReport(reportOptions(options), context);
  const client = connect(connection, (text) => warn(text, context));
  const interrupted = new AbortController();
  void context.untilSignal().then((signal) => interrupted.abort(new InterruptedError(signal)));
  const cluster = { client, signal: interrupted.signal };
  try {
    const deadline = new Deadline(timeout);
    const namespace = options.namespace ?? connection.namespace ?? 'default';
    const facts = await work({ cluster, report, namespace, deadline });
    report.finish({
      command,
      context: connection.context ?? null,
      server: connection.server,
      dryRun: options.dryRun ?? false,
      ...facts,
      objects: report.objects,
    });
  } catch (error) {
    if (error instanceof InterruptedError) sayInterrupted(report, context);
    const explained = explainError(error);
    if (!options.json) printEvidence(explained, context);
    throw withObjects(explained, report);
  } finally {
    await client.close();
  }
}

/** @throws OtsError without a usable kubeconfig */
export async function connectionOf(options: ClusterOptions, context: Context): Promise<ConnectionConfig> {
  const { kubeconfig } = options;
  const file = kubeconfig && { kubeconfig: resolve(workingDirectory(options, context), kubeconfig) };
  try {
    return await loadConnection({ ...options, ...file }, context.env);
  } catch (error) {
    throw explainError(error);
  }
}

/**
 * Asks before a command changes a cluster that is not local.
 *
 * @throws OtsError `NOT_LOCAL` without a terminal, `CANCELED`
 */
export async function confirmCluster(
  command: string,
  connection: ConnectionConfig,
  { yes }: ClusterOptions,
  context: Context,
): Promise<void> {
  if (yes || isLocal(connection)) return;
  const name = connection.context === undefined ? '' : ` of the context ${quoted(connection.context)}`;
  await confirm(
    {
      question: `Run ots ${command} on the cluster${name} (${oneLine(connection.server)})?`,
      code: 'NOT_LOCAL',
      reason: `The cluster${name} is not on this machine: ${oneLine(connection.server)}`,
      hint: 'Choose another one with --context, or add --yes to use it without a question.',
    },
    context,
  );
}

/**
 * Builds the objects of a directory of the project.
 *
 * @throws OtsError of the build
 */
export async function buildObjects(
  build: Build,
  directory: string,
  root: string,
  { env }: Context,
): Promise<UnstructuredObject[]> {
  return parseObjects(await build(directory, { root, env }));
}

function parseTimeout(text = '3m'): number {
  try {
    return toMilliseconds(text);
  } catch (error) {
    throw new UsageError('INVALID_TIMEOUT', `${quoted(text)} is not a duration`, {
      hint: 'Write for example 90s or 5m after --timeout.',
      cause: error,
    });
  }
}

function warn(text: string, context: Context): void {
  context.stderr.write(`${paint(context, 'stderr', 'yellow', 'warning:')} ${oneLine(text)}\n`);
}

/** What shows the cause of an error, before the error itself. */
function printEvidence(error: unknown, { stderr }: Context): void {
  const evidence = error instanceof OtsError ? error.details?.['evidence'] : undefined;
  if (Array.isArray(evidence)) for (const line of evidence) stderr.write(`  ${String(line)}\n`);
}

function sayInterrupted({ objects, isUndone, interruption }: ObjectsReport, { stderr }: Context): void {
  if (interruption !== undefined) {
    stderr.write(`Interrupted: ${interruption}\n`);
    return;
  }
  if (isUndone) {
    stderr.write('Interrupted: what the command had created is deleted.\n');
    return;
  }
  const changed = objects.filter(({ action }) => action !== 'unchanged').length;
  const done = changed === 1 ? '1 object has changed' : `${changed} objects have changed`;
  stderr.write(`Interrupted: ${done}. Run the command again to finish.\n`);
}

/** Programs also learn what happened before the error. */
function withObjects(error: unknown, { objects }: ObjectsReport): unknown {
  if (!(error instanceof OtsError) || objects.length === 0) return error;
  const { code, message, hint, cause, details } = error;
  return new OtsError(code, message, { hint, cause, details: { ...details, objects } });
}
