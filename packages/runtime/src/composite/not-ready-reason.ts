import type { Condition, KubernetesObject } from 'ots-kubernetes';
import { conditionsOf } from '../conditions/condition-true.ts';
import { findCondition } from '../conditions/find-condition.ts';
import type { DeepReadonly } from '../objects/deep-readonly.ts';

/** The fields of built-in kinds that say whether an object is ready. */
interface Workload extends KubernetesObject {
  spec?: {
    replicas?: number | undefined;
    completions?: number | undefined;
    suspend?: boolean | undefined;
    type?: string | undefined;
    updateStrategy?: { type?: string; rollingUpdate?: { partition?: number } } | undefined;
  };
  status?: {
    observedGeneration?: number;
    replicas?: number;
    updatedReplicas?: number;
    readyReplicas?: number;
    availableReplicas?: number;
    desiredNumberScheduled?: number;
    updatedNumberScheduled?: number;
    numberAvailable?: number;
    succeeded?: number;
    phase?: string;
    loadBalancer?: { ingress?: readonly unknown[] };
  };
}

type Lack = (object: DeepReadonly<Workload>) => string | undefined;

/**
 * Says what an object lacks to be ready, such as `1 of 3 pods are available`, by the rules of kubectl's `rollout status` and
 * of kstatus (https://github.com/kubernetes-sigs/cli-utils): the controller of the object has seen its last change, and
 * - a Deployment, StatefulSet, DaemonSet or ReplicaSet has all its pods, in their last revision;
 * - a Job is complete, and a Pod is ready or has succeeded;
 * - a PersistentVolumeClaim is bound, and a Service of type LoadBalancer has an address;
 * - for other kinds, none of the conditions `Ready`, `Available` and `Established` is false or unknown, and `Stalled`
 *   and `Reconciling` are not true.
 *
 * An object of a kind without a status is ready.
 * @returns undefined if it is ready.
 */
export function notReadyReason(object: DeepReadonly<KubernetesObject>): string | undefined {
  const { metadata, status = {} } = object as DeepReadonly<Workload>;
  if (metadata.deletionTimestamp) return 'it is being deleted';
  const { generation = 0 } = metadata;
  const isAwaited = awaited.has(object.kind) && isBuiltIn(object);
  const { observedGeneration = isAwaited ? 0 : generation } = status;
  if (observedGeneration < generation) return 'its controller has not seen its last change yet';
  const lack = isBuiltIn(object) ? lacks[object.kind] : undefined;
  return (lack ?? lackOfConditions)(object);
}

/** A custom kind may have the name of a built-in one. */
function isBuiltIn({ apiVersion }: DeepReadonly<KubernetesObject>): boolean {
  return ['v1', 'apps/v1', 'batch/v1'].includes(apiVersion);
}

/** These have an observedGeneration from the first sync of their controllers on. */
const awaited = new Set(['Deployment', 'StatefulSet', 'DaemonSet', 'ReplicaSet']);

const lacks: Readonly<Record<string, Lack>> = {
  Deployment: ({ spec, status = {} }) => {
    const progressing = findCondition(conditionsOf({ status } as never), 'Progressing');
    if (progressing?.reason === 'ProgressDeadlineExceeded') {
      return 'its pods have not become available within its progressDeadlineSeconds';
    }
    const { updatedReplicas = 0, replicas = 0, availableReplicas = 0 } = status;
    const wanted = spec?.replicas ?? 1;
    return (
      fewer(updatedReplicas, wanted, 'up to date') ??
      (replicas > updatedReplicas ? `${replicas - updatedReplicas} old pods are still there` : undefined) ??
      fewer(availableReplicas, wanted, 'available')
    );
  },
  StatefulSet: ({ spec, status = {} }) => {
    const { updatedReplicas = 0, readyReplicas = 0 } = status;
    const wanted = spec?.replicas ?? 1;
    const { type, rollingUpdate } = spec?.updateStrategy ?? {};
    const updated = type === 'OnDelete' ? 0 : wanted - (rollingUpdate?.partition ?? 0);
    return fewer(readyReplicas, wanted, 'ready') ?? fewer(updatedReplicas, updated, 'up to date');
  },
  DaemonSet: ({ spec, status = {} }) => {
    const { desiredNumberScheduled = 0, updatedNumberScheduled = 0, numberAvailable = 0 } = status;
    const updated = spec?.updateStrategy?.type === 'OnDelete' ? 0 : desiredNumberScheduled;
    return (
      fewer(updatedNumberScheduled, updated, 'up to date') ??
      fewer(numberAvailable, desiredNumberScheduled, 'available')
    );
  },
  ReplicaSet: ({ spec, status = {} }) =>
    fewer(status.availableReplicas ?? 0, spec?.replicas ?? 1, 'available'),
  Job: ({ spec, status = {} }) => {
    const conditions = conditionsOf({ status } as never);
    const failed = findCondition(conditions, 'Failed');
    if (failed?.status === 'True') return `it has failed${textOf(failed)}`;
    if (findCondition(conditions, 'Complete')?.status === 'True') return undefined;
    if (spec?.suspend) return 'it is suspended';
    return `${status.succeeded ?? 0} of ${spec?.completions ?? 1} pods have succeeded`;
  },
  Pod: (pod) => {
    const phase = pod.status?.phase ?? 'Pending';
    if (phase === 'Succeeded') return undefined;
    if (phase !== 'Running') return `it is ${phase}`;
    return lackOfConditions(pod);
  },
  PersistentVolumeClaim: ({ status }) => (status?.phase === 'Bound' ? undefined : 'it is not bound'),
  Service: ({ spec, status }) =>
    spec?.type === 'LoadBalancer' && !status?.loadBalancer?.ingress?.length
      ? 'it has no address of a load balancer'
      : undefined,
};

function fewer(found: number, wanted: number, what: string): string | undefined {
  return found < wanted ? `${found} of ${wanted} pods are ${what}` : undefined;
}

const wantedTrue = ['Ready', 'Available', 'Established'];
const wantedFalse = ['Stalled', 'Reconciling'];

function lackOfConditions(object: DeepReadonly<KubernetesObject>): string | undefined {
  const found = conditionsOf(object).find(({ type, status }) =>
    status === 'True' ? wantedFalse.includes(type) : wantedTrue.includes(type),
  );
  return found && `${found.type} is ${found.status}${textOf(found)}`;
}

function textOf({ reason, message }: DeepReadonly<Partial<Condition>>): string {
  const text = [reason, message].filter(Boolean).join(': ');
  return text === '' ? '' : ` (${text})`;
}
