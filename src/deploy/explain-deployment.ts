import { Deployment, ReplicaSet } from 'ots-kubernetes/apps/v1';
import type { ContainerStatus, Pod as PodObject } from 'ots-kubernetes/core/v1';
import { Event, Pod } from 'ots-kubernetes/core/v1';
import { type DeepReadonly, type LabelSelector, isApiError, isControlledBy } from 'ots-runtime';
import type { Cluster } from './cluster.ts';
import { explainError } from './explain-error.ts';

/** Why a Deployment is not available. */
export interface Explanation {
  /** One line. */
  readonly problem: string;
  /** What to do about it, one line. */
  readonly hint: string;
  /** What shows the cause: events and the last lines of the log. */
  readonly evidence: readonly string[];
  /** Whether waiting cannot help. */
  readonly isFinal?: boolean;
}

/** Where the author changes what is wrong with a pod, as parts of hints. */
export interface Places {
  /** Of its containers, such as a file. */
  readonly manifest: string;
  /** How another image is named, such as with a flag. */
  readonly image: string;
}

/** Those of the operator of a project. */
const projectPlaces: Places = { manifest: 'config/manager/manager.yaml', image: '--image or IMG' };

const maxEvents = 3;
const logLines = 10;

/**
 * Explains why a Deployment is not available, from its conditions, those of its newest ReplicaSet, its pods, their events and logs.
 *
 * @param places for the hints; default: those of a project
 * @returns undefined if nothing is wrong but that it takes time
 * @throws OtsError if the server does not respond
 */
export async function explainDeployment(
  cluster: Cluster,
  { name, namespace }: { name: string; namespace: string },
  places = projectPlaces,
): Promise<Explanation | undefined> {
  const { client, signal } = cluster;
  try {
    const deployment = await client.get(Deployment, { name, namespace }, { signal });
    if (!deployment) return { problem: 'it does not exist', hint: 'Run the command again.', evidence: [] };
    const labelSelector = deployment.spec?.selector as LabelSelector | undefined;
    const selector = { namespace, labelSelector, signal };
    const sets = (await client.list(ReplicaSet, selector)).items.filter((set) =>
      isControlledBy(set, deployment),
    );
    const newest = sets.toSorted((a, b) => revisionOf(b) - revisionOf(a))[0];
    const failure = [...(deployment.status?.conditions ?? []), ...(newest?.status?.conditions ?? [])].find(
      ({ type, status }) => type === 'ReplicaFailure' && status === 'True',
    );
    if (failure) return noPods(failure.message ?? failure.reason ?? 'the server refuses them', places);
    if (!newest) {
      return {
        problem: 'it has no ReplicaSet',
        hint: 'Check that kube-controller-manager runs in the cluster: it creates the pods of Deployments.',
        evidence: [],
      };
    }
    const pods = (await client.list(Pod, selector)).items.filter((pod) => isControlledBy(pod, newest));
    const explanations: Explanation[] = [];
    for (const pod of pods) {
      const explanation = await explainPod(cluster, pod, places);
      if (explanation) explanations.push(explanation);
    }
    return explanations.find(({ isFinal }) => isFinal) ?? explanations[0];
  } catch (error) {
    signal.throwIfAborted();
    throw explainError(error, { apiVersion: 'apps/v1', kind: 'Deployment', name, namespace });
  }
}

function revisionOf({ metadata }: DeepReadonly<ReplicaSet>): number {
  return Number(metadata.annotations?.['deployment.kubernetes.io/revision'] ?? 0);
}

function noPods(message: string, { manifest }: Places): Explanation {
  const isQuota = message.includes('exceeded quota');
  const isPolicy = message.includes('violates PodSecurity') || message.includes('admission webhook "');
  return {
    problem: `its pods cannot be created: ${message}`,
    hint: isQuota
      ? `Raise the quota of the namespace, or lower the resources in ${manifest}.`
      : isPolicy
        ? `Correct ${manifest} so that the policy of the cluster admits the pod.`
        : `Remove what the message names, or correct ${manifest}.`,
    evidence: [],
  };
}

/**
 * Explains why a pod is not ready, from its conditions, its containers, its events and logs.
 *
 * @returns undefined if it is ready, or nothing is wrong but that it takes time
 */
export async function explainPod(
  cluster: Cluster,
  pod: DeepReadonly<PodObject>,
  places: Places,
): Promise<Explanation | undefined> {
  const { status = {}, metadata } = pod;
  const conditions = new Map((status.conditions ?? []).map((condition) => [condition.type, condition]));
  if (metadata.deletionTimestamp !== undefined || conditions.get('Ready')?.status === 'True')
    return undefined;
  const warnings = await warningsOf(cluster, pod);
  const evidence = warnings.map(({ reason, message }) => `event ${reason}: ${message}`);
  const named = (problem: string): string => `pod ${metadata.name}: ${problem}`;
  if (status.phase === 'Failed' && status.reason !== undefined) {
    return {
      problem: named(`${status.reason}: ${status.message ?? ''}`),
      hint: `Free or add what the node lacks, or lower the resources in ${places.manifest}.`,
      evidence,
    };
  }
  const scheduled = conditions.get('PodScheduled');
  if (scheduled?.status === 'False') {
    return {
      problem: named(`no node can run it: ${scheduled.message ?? scheduled.reason}`),
      hint: `Add a node that fits, or change the requests and the node selector in ${places.manifest}.`,
      evidence: [],
    };
  }
  for (const container of [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])]) {
    const found = explainContainer(container, places);
    if (!found) continue;
    const log = await lastLogLines(cluster, pod, container, found.readsPrevious);
    return {
      problem: named(`container ${container.name}: ${found.problem}`),
      hint: found.hint,
      evidence: [...evidence, ...log.map((line) => `log ${line}`)],
      isFinal: found.isFinal ?? false,
    };
  }
  const [warning] = warnings.toReversed();
  if (!warning) return undefined;
  return {
    problem: named(`${warning.reason}: ${warning.message}`),
    hint: 'Create or correct what the event names.',
    evidence,
  };
}

interface ContainerProblem {
  readonly problem: string;
  readonly hint: string;
  /** Whether the log of the container that ended says more. */
  readonly readsPrevious: boolean;
  readonly isFinal?: boolean;
}

/** Undefined while the container starts, is ready, or waits for others. */
function explainContainer(
  { image, state = {}, lastState = {}, ready }: DeepReadonly<ContainerStatus>,
  places: Places,
): ContainerProblem | undefined {
  const { waiting, terminated, running } = state;
  const ended = terminated ?? lastState.terminated;
  if (
    waiting &&
    ['ErrImagePull', 'ImagePullBackOff', 'InvalidImageName', 'ErrImageNeverPull'].includes(
      waiting.reason ?? '',
    )
  ) {
    return {
      problem: `${waiting.reason}: ${waiting.message ?? image}`,
      hint: `Push ${image} to where the nodes pull it, or name another image with ${places.image}; with kind, run kind load docker-image ${image}.`,
      readsPrevious: false,
      isFinal: waiting.reason === 'InvalidImageName',
    };
  }
  if (ended && (ended.exitCode !== 0 || waiting?.reason === 'CrashLoopBackOff') && !ready) {
    const reason = ended.reason === undefined || ended.reason === 'Error' ? '' : ` (${ended.reason})`;
    return {
      problem: `it ended with exit code ${ended.exitCode}${reason}`,
      hint:
        ended.reason === 'OOMKilled'
          ? `Raise the memory limit in ${places.manifest}.`
          : 'Fix what the log says, build and push the image again, and run the command again.',
      readsPrevious: terminated === undefined,
    };
  }
  if (waiting && !['ContainerCreating', 'PodInitializing'].includes(waiting.reason ?? '')) {
    return {
      problem: `${waiting.reason}: ${waiting.message ?? 'no message'}`,
      hint: 'Create or correct what the message names.',
      readsPrevious: false,
    };
  }
  if (running && !ready) {
    return {
      problem: 'it runs but is not ready',
      hint: 'Look at the log: the operator says there what it waits for.',
      readsPrevious: false,
    };
  }
  return undefined;
}

/** The last warnings about a pod, the newest last; none if the user may not read events. */
async function warningsOf(
  { client, signal }: Cluster,
  { metadata }: DeepReadonly<PodObject>,
): Promise<{ reason: string; message: string }[]> {
  const fieldSelector = `involvedObject.name=${metadata.name},involvedObject.uid=${metadata.uid},type=Warning`;
  const list = client.list(Event, { namespace: metadata.namespace, fieldSelector, signal });
  const { items } = await list.catch(unlessRefused({ items: [] }));
  const time = (event: (typeof items)[number]): string =>
    event.series?.lastObservedTime ?? event.lastTimestamp ?? event.eventTime ?? '';
  return items
    .toSorted((a, b) => time(a).localeCompare(time(b)))
    .slice(-maxEvents)
    .map(({ reason = '', message = '' }) => ({ reason, message }));
}

/** The end of a container's log; nothing if there is none, or the user may not read it. */
async function lastLogLines(
  { client, signal }: Cluster,
  { metadata }: DeepReadonly<PodObject>,
  { name }: DeepReadonly<ContainerStatus>,
  previous: boolean,
): Promise<string[]> {
  const path = `/api/v1/namespaces/${metadata.namespace}/pods/${metadata.name}/log`;
  const read = (query: Record<string, string | number | boolean>): Promise<string> =>
    client
      .raw<string>({
        path,
        query: { container: name, tailLines: logLines, ...query },
        responseType: 'text',
        signal,
      })
      .catch(unlessRefused(''));
  const text = (previous && (await read({ previous: true }))) || (await read({}));
  return text.split('\n').filter((line) => line !== '');
}

/** Evidence is good to have; without it the command has still found the problem. */
function unlessRefused<T>(fallback: T): (error: unknown) => T {
  return (error) => {
    if (isApiError(error)) return fallback;
    throw error;
  };
}
