import { ControllerBuilder } from 'ots-runtime';
import { retryRefusals } from '../../workloads/retry-refusals.ts';
import type { OlmContext } from '../olm-context.ts';
import { ClusterCatalogReconciler } from './cluster-catalog-reconciler.ts';
import { ClusterExtensionReconciler } from './cluster-extension-reconciler.ts';
import { ClusterCatalog, ClusterExtension } from './kinds.ts';
import { v1Context } from './v1-context.ts';

/** Adds the controllers of OLM v1: those of catalogd and of operator-controller. */
export function addV1Controllers(olm: OlmContext): void {
  const context = v1Context(olm);
  const { manager, clock, cache } = context;
  new ControllerBuilder(manager)
    .for(ClusterCatalog)
    .complete(retryRefusals(new ClusterCatalogReconciler(context), clock));
  const extensions = () => cache.list(ClusterExtension).map(({ metadata }) => ({ name: metadata.name! }));
  new ControllerBuilder(manager)
    .for(ClusterExtension)
    .watches(ClusterCatalog, extensions)
    .complete(retryRefusals(new ClusterExtensionReconciler(context), clock));
}
