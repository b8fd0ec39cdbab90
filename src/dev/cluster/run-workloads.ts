import type { Clock } from 'ots-apimachinery/clock/clock';
import type { ApiServer, PodStreams } from 'ots-apiserver';
import type { Workloads } from 'ots-testing/workloads';

/**
 * Runs the controllers of workloads, the scheduler and the kubelets of simulated nodes beside the server: as its clients, but in this
 * process, so without the network and its credentials.
 *
 * @param nodes how many simulated nodes there are
 * @param clock their time. Default: the system's
 */
export async function runWorkloads(server: ApiServer, nodes: number, clock?: Clock): Promise<Workloads> {
  const { besideServer, startWorkloads } = await import('ots-testing/workloads');
  return startWorkloads(besideServer(server), { nodes }, { ...(clock && { clock }) });
}

/** What the server asks the kubelets of the nodes, which start after it. */
export async function streamsOf(current: () => Workloads | undefined): Promise<PodStreams> {
  const { latePodStreams } = await import('ots-testing/workloads');
  return latePodStreams(() => current()?.podStreams);
}
