import type { KubernetesObject } from 'ots-kubernetes';
import { expect, test } from 'vitest';
import { notReadyReason } from './not-ready-reason.ts';

interface Parts {
  spec?: object;
  status?: object;
  metadata?: KubernetesObject['metadata'];
}

function reasonOf(apiVersion: string, kind: string, { metadata, ...parts }: Parts): string | undefined {
  return notReadyReason({ apiVersion, kind, metadata: { name: 'a', generation: 2, ...metadata }, ...parts });
}

const seen = { observedGeneration: 2 };
const condition = (type: string, status: string, more: object = {}) => ({
  conditions: [{ type, status, ...more }],
});

test.each<[string, string, string, Parts, string | undefined]>([
  [
    'a Deployment that its controller has not seen',
    'apps/v1',
    'Deployment',
    {},
    'its controller has not seen its last change yet',
  ],
  [
    'an older generation',
    'apps/v1',
    'Deployment',
    { status: { observedGeneration: 1, availableReplicas: 1, updatedReplicas: 1, replicas: 1 } },
    'its controller has not seen its last change yet',
  ],
  [
    'pods of the old revision',
    'apps/v1',
    'Deployment',
    { spec: { replicas: 3 }, status: { ...seen, replicas: 3, updatedReplicas: 1, availableReplicas: 3 } },
    '1 of 3 pods are up to date',
  ],
  [
    'old pods that are left',
    'apps/v1',
    'Deployment',
    { spec: { replicas: 1 }, status: { ...seen, replicas: 2, updatedReplicas: 1, availableReplicas: 2 } },
    '1 old pods are still there',
  ],
  [
    'pods that are not available',
    'apps/v1',
    'Deployment',
    { status: { ...seen, replicas: 1, updatedReplicas: 1 } },
    '0 of 1 pods are available',
  ],
  [
    'a rollout that is stuck',
    'apps/v1',
    'Deployment',
    { status: { ...seen, ...condition('Progressing', 'False', { reason: 'ProgressDeadlineExceeded' }) } },
    'its pods have not become available within its progressDeadlineSeconds',
  ],
  [
    'a complete rollout',
    'apps/v1',
    'Deployment',
    { spec: { replicas: 2 }, status: { ...seen, replicas: 2, updatedReplicas: 2, availableReplicas: 2 } },
    undefined,
  ],
  ['no replicas, as wanted', 'apps/v1', 'Deployment', { spec: { replicas: 0 }, status: seen }, undefined],
  [
    'a partition that keeps old pods',
    'apps/v1',
    'StatefulSet',
    {
      spec: { replicas: 3, updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 2 } } },
      status: { ...seen, readyReplicas: 3, updatedReplicas: 1 },
    },
    undefined,
  ],
  [
    'a StatefulSet in the middle of a rollout',
    'apps/v1',
    'StatefulSet',
    { spec: { replicas: 3 }, status: { ...seen, readyReplicas: 3, updatedReplicas: 1 } },
    '1 of 3 pods are up to date',
  ],
  [
    'a DaemonSet without pods on some nodes',
    'apps/v1',
    'DaemonSet',
    { status: { ...seen, desiredNumberScheduled: 3, updatedNumberScheduled: 3, numberAvailable: 2 } },
    '2 of 3 pods are available',
  ],
  [
    'a ReplicaSet',
    'apps/v1',
    'ReplicaSet',
    { spec: { replicas: 2 }, status: { ...seen, availableReplicas: 1 } },
    '1 of 2 pods are available',
  ],
  [
    'a Job that runs',
    'batch/v1',
    'Job',
    { spec: { completions: 3 }, status: { succeeded: 1 } },
    '1 of 3 pods have succeeded',
  ],
  ['a Job that waits', 'batch/v1', 'Job', { spec: { suspend: true } }, 'it is suspended'],
  [
    'a Job that failed',
    'batch/v1',
    'Job',
    { status: condition('Failed', 'True', { reason: 'BackoffLimitExceeded' }) },
    'it has failed (BackoffLimitExceeded)',
  ],
  ['a complete Job', 'batch/v1', 'Job', { status: condition('Complete', 'True') }, undefined],
  ['a new Pod', 'v1', 'Pod', {}, 'it is Pending'],
  [
    'a Pod that is not ready',
    'v1',
    'Pod',
    { status: { phase: 'Running', ...condition('Ready', 'False', { reason: 'ContainersNotReady' }) } },
    'Ready is False (ContainersNotReady)',
  ],
  ['a Pod that ended', 'v1', 'Pod', { status: { phase: 'Succeeded' } }, undefined],
  ['an unbound claim', 'v1', 'PersistentVolumeClaim', { status: { phase: 'Pending' } }, 'it is not bound'],
  ['a bound claim', 'v1', 'PersistentVolumeClaim', { status: { phase: 'Bound' } }, undefined],
  [
    'a Service without an address',
    'v1',
    'Service',
    { spec: { type: 'LoadBalancer' }, status: { loadBalancer: {} } },
    'it has no address of a load balancer',
  ],
  ['a Service in the cluster', 'v1', 'Service', { spec: { type: 'ClusterIP' } }, undefined],
  ['a kind without a status', 'v1', 'ConfigMap', {}, undefined],
  [
    'a custom object that is not ready',
    'example.com/v1',
    'Deployment',
    { status: condition('Ready', 'Unknown', { reason: 'Starting', message: 'wait' }) },
    'Ready is Unknown (Starting: wait)',
  ],
  [
    'a custom object that reconciles',
    'example.com/v1',
    'App',
    { status: condition('Reconciling', 'True') },
    'Reconciling is True',
  ],
  ['a custom object without conditions', 'example.com/v1', 'App', { status: seen }, undefined],
  [
    'an object that is being deleted',
    'v1',
    'ConfigMap',
    { metadata: { deletionTimestamp: 'now' } },
    'it is being deleted',
  ],
])('%s', (_, apiVersion, kind, parts, expected) => {
  expect(reasonOf(apiVersion, kind, parts)).toBe(expected);
});
