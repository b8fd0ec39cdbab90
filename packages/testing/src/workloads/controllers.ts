import { addDeploymentController } from './deployments/deployment-controller.ts';
import { addDisruptionController } from './disruption/disruption-controller.ts';
import { addEndpointSliceController } from './endpoints/endpoint-slice-controller.ts';
import { addEndpointsController } from './endpoints/endpoints-controller.ts';
import { addReplicaSetController } from './replica-sets/replica-set-controller.ts';
import type { AddController } from './workload-context.ts';

/** The controllers of kube-controller-manager that run beside the embedded server. */
export const controllers: readonly AddController[] = [
  addDeploymentController,
  addDisruptionController,
  addEndpointSliceController,
  addEndpointsController,
  addReplicaSetController,
];
