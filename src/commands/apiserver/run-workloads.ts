import type { ApiServer, PodStreams } from 'ots-apiserver';
import type { Workloads } from 'ots-testing/workloads';

/**
 * Runs the controllers of workloads, the scheduler and the kubelets of simulated nodes beside the server: as its clients, but in this
 * process, so without the network and its credentials.
 *
 * @param nodes how many simulated nodes there are
 */
export async function runWorkloads(server: ApiServer, nodes: number): Promise<Workloads> {
  const { startWorkloads } = await import('ots-testing/workloads');
  return startWorkloads({ ...server.connection, exchange: (request) => server.exchange(request) }, { nodes });
}

/** What the server asks the kubelets of the nodes, which start after it. */
export async function streamsOf(current: () => Workloads | undefined): Promise<PodStreams> {
  const { latePodStreams } = await import('ots-testing/workloads');
  return latePodStreams(() => current()?.podStreams);
}
