import { Pod, Service } from 'ots-kubernetes/core/v1';
import { type Cache, ControllerBuilder, type Request } from 'ots-runtime';
import { retryRefusals } from '../../../workloads/retry-refusals.ts';
import { CatalogSource } from '../kinds.ts';
import type { V0Context } from '../v0-context.ts';
import { CatalogSourceReconciler } from './catalog-source-reconciler.ts';

/** Serves the images of CatalogSources, and connects to what serves them. */
export function addCatalogSourceController(context: V0Context): void {
  const { manager, clock, cache } = context;
  new ControllerBuilder(manager)
    .for(CatalogSource)
    .watches(Pod, () => all(cache))
    .watches(Service, () => all(cache))
    .complete(retryRefusals(new CatalogSourceReconciler(context), clock));
}

/** A pod may serve any CatalogSource that names an address. There are few. */
function all(cache: Cache): Request[] {
  return cache
    .list(CatalogSource)
    .map(({ metadata }) => ({ name: metadata.name!, namespace: metadata.namespace }));
}
