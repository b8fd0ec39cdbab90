import {
  ControllerBuilder,
  type DeepReadonly,
  type Request,
  controllerOf,
  generationChanged,
} from 'ots-runtime';
import { Job } from 'ots-kubernetes/batch/v1';
import { Pod } from 'ots-kubernetes/core/v1';
import type { KubernetesObject } from 'ots-kubernetes';
import { indexByController } from '../pods/controlled.ts';
import { ownersOf } from '../pods/owners-of.ts';
import { retryRefusals } from '../retry-refusals.ts';
import type { AddController } from '../workload-context.ts';
import { batchedSource } from './batched-source.ts';
import { isTracked } from './job-facts.ts';
import { JobReconciler } from './job-reconciler.ts';

/** kube-controller-manager waits for a second: so long would tests wait, too. */
const batchMs = 100;

/** Runs jobs, as the job-controller of kube-controller-manager does. */
export const addJobController: AddController = (context) => {
  const { manager, clock } = context;
  const { cache } = manager;
  indexByController(cache, Pod);
  const owners = ownersOf(cache, Job);
  new ControllerBuilder(manager)
    .for(Job, { predicates: [generationChanged()] })
    .watchesSource(batchedSource(cache, Job, ({ metadata }) => [requestOf(metadata)], batchMs))
    .watchesSource(batchedSource(cache, Pod, (pod) => [...owners(pod), ...formerOwner(pod)], batchMs))
    .complete(retryRefusals(new JobReconciler(context), clock));
};

/** The job of a pod that has no controller any more and still waits to be counted. */
function formerOwner(pod: DeepReadonly<Pod>): Request[] {
  const name = pod.metadata.labels?.['batch.kubernetes.io/job-name'];
  if (name === undefined || controllerOf(pod) || !isTracked(pod)) return [];
  return [{ name, namespace: pod.metadata.namespace }];
}

function requestOf({ name = '', namespace }: DeepReadonly<KubernetesObject>['metadata']): Request {
  return { name, namespace };
}
