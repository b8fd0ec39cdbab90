import { resolve } from 'node:path';
import { ApiServer, type ApiServerOptions, type ServiceEndpoint, installCrds, loadCrds } from 'ots-apiserver';
import type { Workloads } from 'ots-testing/workloads';
import type { Context } from '../../context.ts';
import { InterruptedError } from '../../errors/interrupted-error.ts';
import { diskFileSystem } from '../../scaffold/file-system.ts';
import { oneLine } from '../../output/one-line.ts';
import { paint } from '../../output/paint.ts';
import { explainError } from './explain-error.ts';
import { type ApiServerCommandOptions, parseNodes, parseOptions } from './parse-options.ts';
import { readServices } from './read-services.ts';
import { readUsers } from './read-users.ts';
import { runWorkloads, streamsOf } from '../../dev/cluster/run-workloads.ts';
import { checkKubeconfig, removeKubeconfig, writeKubeconfig } from '../../dev/cluster/write-kubeconfig.ts';
import { workingDirectory } from '../shared/report-options.ts';

/** The report on the server. */
interface Served {
  url: string;
  /** Path of the kubeconfig; null without one. */
  kubeconfig: string | null;
  /** Path of the directory that keeps the cluster; null without one. */
  data: string | null;
  /** The custom kinds. */
  kinds: { apiVersion: string; kind: string }[];
  /** How many simulated nodes run pods; null without workloads. */
  nodes: number | null;
}

/**
 * `ots apiserver`: serves a Kubernetes API from this process until Ctrl-C or SIGTERM. `--dry-run` starts the server, reports
 * what it would serve, and ends; it does not read or write the directory of `--data`. The kubeconfig is removed at the end, because it would point to a stopped server.
 *
 * @throws InterruptedError after a signal, when the server has stopped
 */
export async function apiserver(options: ApiServerCommandOptions, context: Context): Promise<void> {
  const directory = workingDirectory(options, context);
  const fs = context.fs ?? diskFileSystem;
  const data = options.data === undefined ? null : resolve(directory, options.data);
  const serverOptions = {
    ...parseOptions(options),
    ...(data !== null && !options.dryRun && { data, onWarning: (message: string) => warn(message, context) }),
    ...(options.users !== undefined && { users: readUsers(resolve(directory, options.users), fs) }),
  };
  const nodes = parseNodes(options.workloads);
  const services = readServices(options, directory, fs);
  const kubeconfig =
    options.kubeconfig === undefined ? null : checkKubeconfig(resolve(directory, options.kubeconfig), fs);
  const crds = (options.crds ?? []).map((path) => resolve(directory, path));

  const signal = options.dryRun ? undefined : context.untilSignal();
  let workloads: Workloads | undefined;
  const podStreams = nodes === null ? {} : { podStreams: await streamsOf(() => workloads) };
  const { server, kinds } = await start({ ...serverOptions, ...podStreams }, services, crds);
  const written = options.dryRun ? null : kubeconfig;
  try {
    if (nodes !== null) workloads = await runWorkloads(server, nodes);
    if (written !== null) writeKubeconfig(written, server.kubeconfig, fs);
    report({ url: server.url, kubeconfig, data, kinds, nodes }, options, context);
    if (signal) throw new InterruptedError(await signal);
  } finally {
    // Before the server stops: a second signal ends the process meanwhile.
    if (written !== null) removeKubeconfig(written, server.kubeconfig, fs);
    await workloads?.stop();
    await server.stop();
  }
}

async function start(
  options: ApiServerOptions,
  services: ReadonlyMap<string, ServiceEndpoint>,
  crds: readonly string[],
): Promise<{ server: ApiServer; kinds: Served['kinds'] }> {
  let server: ApiServer | undefined;
  try {
    server = await ApiServer.start(options);
    for (const [service, endpoint] of services) server.services.set(service, endpoint);
    // Other Services cannot be reached, so their definitions do not convert.
    const definitions = await loadCrds(crds, (service) => services.has(service) || services.has('*'));
    const kinds = await installCrds(server.connection, definitions, { replace: options.data !== undefined });
    return { server, kinds };
  } catch (error) {
    await server?.stop();
    throw explainError(error, { host: options.host ?? '', port: options.port ?? 0 });
  }
}

function warn(message: string, context: Context): void {
  context.stderr.write(`${paint(context, 'stderr', 'yellow', 'warning:')} ${oneLine(message)}\n`);
}

function report(served: Served, options: ApiServerCommandOptions, { stdout }: Context): void {
  if (options.json) stdout.write(`${JSON.stringify(served)}\n`);
  else if (!options.quiet) {
    const { url, kubeconfig, data, kinds, nodes } = served;
    const verb = options.dryRun ? 'Would serve' : 'Serving';
    stdout.write(`${verb} the Kubernetes API on ${url}${options.dryRun ? '' : '; press Ctrl-C to stop'}\n`);
    stdout.write(
      `Kinds: built-in${kinds.map(({ kind, apiVersion }) => `, ${kind} (${apiVersion})`).join('')}\n`,
    );
    if (nodes !== null)
      stdout.write(`Workloads: controllers and ${nodes} simulated node${nodes === 1 ? '' : 's'}\n`);
    if (data !== null) stdout.write(`Data: ${data}\n`);
    if (kubeconfig !== null) stdout.write(`Kubeconfig: ${kubeconfig}\n`);
  }
}
