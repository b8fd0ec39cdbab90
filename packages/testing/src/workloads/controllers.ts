import { addCronJobController } from './cron-jobs/cron-job-controller.ts';
import { addHorizontalPodAutoscaler } from './autoscaling/horizontal-pod-autoscaler.ts';
import { addDaemonSetController } from './daemonsets/daemon-set-controller.ts';
import { addDeploymentController } from './deployments/deployment-controller.ts';
import { addDisruptionController } from './disruption/disruption-controller.ts';
import { addEndpointSliceController } from './endpoints/endpoint-slice-controller.ts';
import { addEndpointsController } from './endpoints/endpoints-controller.ts';
import { addJobController } from './jobs/job-controller.ts';
import { addNodeLifecycleController } from './node-lifecycle/node-lifecycle-controller.ts';
import { addPodGarbageCollector } from './pod-garbage/pod-garbage-collector.ts';
import { addReplicaSetController } from './replica-sets/replica-set-controller.ts';
import { addStatefulSetController } from './statefulsets/stateful-set-controller.ts';
import { addTtlAfterFinishedController } from './ttl-after-finished/ttl-after-finished-controller.ts';
import { addPersistentVolumeBinder } from './volumes/persistent-volume-binder.ts';
import { addVolumeExpander } from './volumes/volume-expander.ts';
import {
  addAttributesClassProtection,
  addClaimProtection,
  addVolumeProtection,
} from './volumes/protection.ts';
import { addTaintEvictionController } from './taint-eviction/taint-eviction-controller.ts';
import type { AddController } from './workload-context.ts';

/**
 * The controllers of kube-controller-manager that run beside the embedded server.
 *
 * @param nodes how many there are. Without any, tests end pods: no controller does so in place of a kubelet.
 */
export function controllersBeside(nodes: number): readonly AddController[] {
  return nodes > 0 ? [...controllers, addPodGarbageCollector] : controllers;
}

const controllers: readonly AddController[] = [
  addCronJobController,
  addDaemonSetController,
  addDeploymentController,
  addDisruptionController,
  addEndpointSliceController,
  addEndpointsController,
  addHorizontalPodAutoscaler,
  addJobController,
  addNodeLifecycleController,
  addPersistentVolumeBinder,
  addVolumeExpander,
  addVolumeProtection,
  addAttributesClassProtection,
  addClaimProtection,
  addReplicaSetController,
  addStatefulSetController,
  addTtlAfterFinishedController,
  addTaintEvictionController,
];
