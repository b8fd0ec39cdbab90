import { ControllerBuilder } from 'ots-runtime';
import { Endpoints, Pod, Service } from 'ots-kubernetes/core/v1';
import { retryRefusals } from '../retry-refusals.ts';
import type { AddController } from '../workload-context.ts';
import { EndpointsReconciler } from './endpoints-reconciler.ts';
import { servicesOfPod } from './service-pods.ts';

/** Keeps the Endpoints of Services, as the endpoints-controller of kube-controller-manager does. */
export const addEndpointsController: AddController = (context) => {
  const { manager, clock } = context;
  const deletions = { create: () => false, update: () => false };
  new ControllerBuilder(manager)
    .named('endpoints')
    .for(Service)
    .watches(Pod, servicesOfPod(manager.cache))
    .watches(Endpoints, ({ metadata: { name = '', namespace } }) => [{ name, namespace }], {
      predicates: [deletions],
    })
    .complete(retryRefusals(new EndpointsReconciler(context), clock));
};
