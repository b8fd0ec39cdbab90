import { Pod } from 'ots-kubernetes/core/v1';
import { ControllerBuilder } from 'ots-runtime';
import { retryRefusals } from '../retry-refusals.ts';
import type { AddController } from '../workload-context.ts';
import { AutoscalerReconciler } from './autoscaler-reconciler.ts';
import { AutoscalerSource } from './autoscaler-source.ts';

/** Scales what HorizontalPodAutoscalers name, as the horizontal-pod-autoscaler-controller of kube-controller-manager does. */
export const addHorizontalPodAutoscaler: AddController = (context) => {
  const { manager, clock } = context;
  manager.cache.add(Pod);
  new ControllerBuilder(manager)
    .named('horizontal-pod-autoscaler')
    .watchesSource(new AutoscalerSource(manager.cache))
    .complete(retryRefusals(new AutoscalerReconciler(context), clock));
};
