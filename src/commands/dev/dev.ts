import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Context } from '../../context.ts';
import { type Page, startPage } from '../../dev/server/start-page.ts';
import { DevSession } from '../../dev/session/dev-session.ts';
import { followSources, watchSources } from '../../dev/session/follow-sources.ts';
import { TypeCheck } from '../../dev/session/type-check.ts';
import { untilReconciled } from '../../dev/session/until-reconciled.ts';
import type { DevAction } from '../../dev/model/dev-action.ts';
import { DevStore } from '../../dev/store/dev-store.ts';
import { initialState } from '../../dev/store/initial-state.ts';
import { jsonLine } from '../../dev/terminal/json-line.ts';
import { startTerminal } from '../../dev/terminal/terminal.ts';
import { InterruptedError } from '../../errors/interrupted-error.ts';
import { packageRoot } from '../../package-root.ts';
import { ProjectFile } from '../../project/project-file.ts';
import { diskFileSystem } from '../../scaffold/file-system.ts';
import { projectFile } from '../../scaffold/project-root.ts';
import { planManifests } from '../manifests/plan-manifests.ts';
import type { ClusterOptions } from '../shared/cluster-options.ts';
import { projectRoot } from '../shared/in-project.ts';
import { chooseCluster } from './choose-cluster.ts';
import { reportDryRun } from './report-dry-run.ts';

export interface DevOptions extends ClusterOptions {
  readonly once?: boolean;
  readonly keep?: boolean;
  readonly data?: string;
  readonly clock: 'real' | 'fast';
}

/** What shows a session. */
interface Views {
  /** Resolves when a person wants to end the session. */
  readonly quit: Promise<void>;
  stop(): Promise<void>;
}

/**
 * `ots dev`: runs the operator in an embedded cluster, and again after every change, until Ctrl-C; with `--once`, until every sample is
 * reconciled. `--dry-run` says what would run, and where.
 *
 * @throws InterruptedError after a signal, when everything has stopped
 * @throws OtsError `NOT_RECONCILED` with `--once`
 */
export async function dev(options: DevOptions, context: Context): Promise<void> {
  const root = projectRoot(options, context);
  const fs = context.fs ?? diskFileSystem;
  const { project } = ProjectFile.parse(fs.read(resolve(root, projectFile))?.toString('utf8') ?? '');
  const signal = context.untilSignal();
  const choice = await chooseCluster(root, options, context);
  if (options.dryRun) return reportDryRun(root, choice, options, context);
  const { kubeconfig, existing, data } = choice;
  const store = new DevStore(initialState(project.projectName, kubeconfig, !existing));
  let session: DevSession | undefined;
  const act = async (action: DevAction) => {
    await session?.act(action);
  };
  const views = await show(store, act, options, context);
  const watcher = options.once ? undefined : watchSources(root);
  const types = new TypeCheck(root, store);
  try {
    session = await DevSession.start(
      {
        root,
        env: context.env,
        agent: fileURLToPath(new URL('dist/dev-agent.mjs', packageRoot)),
        clock: options.clock,
        existing,
        data,
      },
      store,
    );
    if (await session.install()) await session.restart();
    const generate = async () => {
      await planManifests({ cwd: root }, context, true);
    };
    const work = watcher
      ? followSources(session, { watcher, generate, types })
      : reconciled(session, store, options);
    const end = await Promise.race([work, views.quit, signal]);
    if (typeof end === 'string') throw new InterruptedError(end);
  } finally {
    watcher?.close();
    types.stop();
    await session?.stop();
    await views.stop();
    if (existing && session && !options.json && !options.quiet)
      context.stderr.write('What ots dev applied stays in the cluster. Remove it with ots undeploy.\n');
  }
}

function reconciled(session: DevSession, store: DevStore, options: DevOptions): Promise<void> {
  return untilReconciled(store, () => session.samples, options);
}

/** Shows a session on the terminal, and on a page, which a single run has no readers for. */
async function show(
  store: DevStore,
  act: (action: DevAction) => Promise<void>,
  options: DevOptions,
  context: Context,
): Promise<Views> {
  const shared = { state: () => store.state, subscribe: store.subscribe.bind(store), act };
  const page: Page | undefined = options.once ? undefined : await startPage({ ...shared, host: '127.0.0.1' });
  let onQuit!: () => void;
  const quit = new Promise<void>((resolveQuit) => (onQuit = resolveQuit));
  const stopOutput = options.json
    ? store.subscribe((change) => context.stdout.write(jsonLine(change)))
    : startOutput({ ...shared, pageUrl: page?.url, onQuit }, options, context);
  if (page) store.apply({ type: 'cluster', value: { ...store.state.cluster, page: page.url } });
  return {
    quit,
    stop: async () => {
      stopOutput();
      await page?.close();
    },
  };
}

function startOutput(
  session: Omit<Parameters<typeof startTerminal>[0], 'context' | 'plain'>,
  { once = false, quiet = false }: DevOptions,
  context: Context,
): () => void {
  if (quiet) return () => {};
  const terminal = startTerminal({ ...session, context, plain: once });
  return () => terminal.stop();
}
