import type { Context } from '../../context.ts';
import { projectRoot } from '../shared/in-project.ts';
import { confirmCluster, connectionOf } from '../shared/with-cluster.ts';
import { kubeconfigVariable } from '../run/kubeconfig-variable.ts';
import { runCustomTest } from './custom-test.ts';
import type { CustomTests, TestRun } from './run-tests.ts';
import type { ScorecardOptions } from './scorecard-options.ts';
import { TestClusters } from './test-clusters.ts';

/**
 * Prepares custom tests, and the cluster that they get.
 *
 * @throws OtsError `NOT_LOCAL`, `CANCELED`, or without a usable kubeconfig
 */
export async function customTests(
  { bundle, directory, cwd }: TestRun,
  options: ScorecardOptions,
  context: Context,
): Promise<CustomTests> {
  const clusters =
    options.kubeconfig === undefined && options.context === undefined
      ? embedded({ bundle, directory }, options, context)
      : await existing(options, context);
  const shared = { bundle, directory, cwd, env: context.env, cluster: clusters.kubeconfig };
  return {
    run: (test, name, signal) => runCustomTest(test, name, shared, signal),
    stop: () => clusters.stop(),
  };
}

interface Clusters {
  readonly kubeconfig: (operator: boolean) => Promise<string>;
  readonly stop: () => Promise<void>;
}

function embedded(
  bundle: Pick<TestRun, 'bundle' | 'directory'>,
  options: ScorecardOptions,
  context: Context,
): Clusters {
  const project = () => projectRoot(options, context);
  const clusters = new TestClusters({ ...bundle, project, env: context.env });
  return { kubeconfig: (operator) => clusters.kubeconfig(operator), stop: () => clusters.stop() };
}

/** The cluster of the user. ots changes nothing in it, but the tests may. */
async function existing(options: ScorecardOptions, context: Context): Promise<Clusters> {
  await confirmCluster('scorecard', await connectionOf(options, context), options, context);
  const variable = kubeconfigVariable(options, context);
  return {
    kubeconfig: async (operator) => {
      if (operator)
        throw new Error('ots runs the operator in the embedded cluster alone, not with --kubeconfig');
      return variable.env.KUBECONFIG ?? '';
    },
    stop: async () => variable.remove(),
  };
}
