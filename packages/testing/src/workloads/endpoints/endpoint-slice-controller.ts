import { ControllerBuilder } from 'ots-runtime';
import { Node, Pod, Service } from 'ots-kubernetes/core/v1';
import { EndpointSlice } from 'ots-kubernetes/discovery/v1';
import { retryRefusals } from '../retry-refusals.ts';
import type { AddController } from '../workload-context.ts';
import { EndpointSliceReconciler } from './endpoint-slice-reconciler.ts';
import { isManagedSlice, serviceNameLabel } from './new-slice.ts';
import { servicesOfPod } from './service-pods.ts';

/** Keeps the EndpointSlices of Services, as the endpointslice-controller of kube-controller-manager does. */
export const addEndpointSliceController: AddController = (context) => {
  const { manager, clock } = context;
  manager.cache.add(Node);
  new ControllerBuilder(manager)
    .named('endpointslice')
    .for(Service)
    .watches(Pod, servicesOfPod(manager.cache))
    .watches(EndpointSlice, (slice) => {
      const { namespace, labels } = slice.metadata;
      const name = labels?.[serviceNameLabel];
      return name !== undefined && isManagedSlice(slice) ? [{ name, namespace }] : [];
    })
    .complete(retryRefusals(new EndpointSliceReconciler(context), clock));
};
