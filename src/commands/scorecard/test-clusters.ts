import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemClock } from 'ots-apimachinery/clock/clock';
import type { DevStore } from '../../dev/store/dev-store.ts';
import type { Bundle } from '../../olm/bundle/bundle.ts';
import { packageRoot } from '../../package-root.ts';

/** What clusters of custom tests start with. */
export interface TestClustersOptions {
  readonly bundle: Bundle;
  /** Of the bundle, absolute. */
  readonly directory: string;
  /** The project around the working directory. @throws OtsError `NO_PROJECT` */
  readonly project: () => string;
  readonly env: NodeJS.ProcessEnv;
}

/** A cluster that a test needs. */
interface TestCluster {
  /** The path of the kubeconfig of its administrator. */
  readonly kubeconfig: string;
  stop(): Promise<void>;
}

/** The embedded clusters of custom tests. They start when the first test needs them, and all tests share them. */
export class TestClusters {
  readonly #options: TestClustersOptions;
  #plain: Promise<TestCluster> | undefined;
  #withOperator: Promise<TestCluster> | undefined;
  readonly #stopping = new AbortController();

  constructor(options: TestClustersOptions) {
    this.#options = options;
  }

  /**
   * @param operator whether the operator of the project runs in it
   * @returns the path of a kubeconfig
   */
  async kubeconfig(operator: boolean): Promise<string> {
    const cluster = operator
      ? (this.#withOperator ??= startWithOperator(this.#options, this.#stopping.signal))
      : (this.#plain ??= startPlain(this.#options));
    return (await cluster).kubeconfig;
  }

  /** Also stops one that is still starting. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    const started = await Promise.allSettled([this.#plain, this.#withOperator]);
    for (const result of started) if (result.status === 'fulfilled') await result.value?.stop();
  }
}

/** A cluster with the CRDs of the bundle. */
async function startPlain({ bundle, directory }: TestClustersOptions): Promise<TestCluster> {
  const { EmbeddedCluster } = await import('../../dev/cluster/embedded-cluster.ts');
  const cluster = await EmbeddedCluster.start({
    clock: systemClock,
    onRequest: () => {},
    onWarning: () => {},
  });
  const home = await mkdtemp(path.join(tmpdir(), 'ots-scorecard-'));
  const stop = async () => {
    await cluster.stop();
    await rm(home, { recursive: true, force: true });
  };
  try {
    for (const { file } of bundle.crds) await cluster.install(path.join(directory, file));
    const kubeconfig = path.join(home, 'kubeconfig');
    await writeFile(kubeconfig, cluster.kubeconfig, { mode: 0o600 });
    return { kubeconfig, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** As `ots dev` runs it: with the manifests in config/default, its own rights, webhooks and samples. */
async function startWithOperator(
  { project, env }: TestClustersOptions,
  stopping: AbortSignal,
): Promise<TestCluster> {
  const root = project();
  const [{ DevSession }, stores, { initialState }] = await Promise.all([
    import('../../dev/session/dev-session.ts'),
    import('../../dev/store/dev-store.ts'),
    import('../../dev/store/initial-state.ts'),
  ]);
  const home = await mkdtemp(path.join(tmpdir(), 'ots-scorecard-'));
  const kubeconfig = path.join(home, 'kubeconfig');
  const store = new stores.DevStore(initialState('', kubeconfig, true));
  const agent = fileURLToPath(new URL('dist/dev-agent.mjs', packageRoot));
  const session = await DevSession.start({ root, env, agent, clock: 'real' }, store);
  const stop = async () => {
    await session.stop();
    await rm(home, { recursive: true, force: true });
  };
  try {
    if (await session.install()) await session.restart();
    await untilRunning(store, stopping);
    return { kubeconfig, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** @throws an error with the first problem, when the operator cannot start */
function untilRunning(store: DevStore, stopping: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const look = () => {
      const { problems, operator } = store.state;
      const [problem] = problems;
      if (operator.phase === 'running') resolve();
      else if (problem) reject(new Error(`the operator does not start: ${problem.message}`));
      else if (stopping.aborted) reject(new Error('no time is left for the operator to start'));
      else return;
      unsubscribe();
    };
    const unsubscribe = store.subscribe(look);
    stopping.addEventListener('abort', look, { once: true });
    look();
  });
}
