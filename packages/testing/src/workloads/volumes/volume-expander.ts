import { nanosOf } from 'ots-apimachinery/quantity/amount';
import { PersistentVolumeClaim } from 'ots-kubernetes/core/v1';
import { ControllerBuilder, type Request } from 'ots-runtime';
import type { AddController } from '../workload-context.ts';
import type { CachedClaim } from './claim.ts';
import { requestedSize } from './matching-volume.ts';

/** Says who is to expand a volume when its claim asks for more, as the persistentvolume-expander-controller does. */
export const addVolumeExpander: AddController = (context) => {
  const { manager } = context;
  const events = context.eventsOf('expand-controller', 'volume_expand');
  const reconcile = async (request: Request): Promise<void> => {
    const claim = manager.cache.get(PersistentVolumeClaim, request);
    if (claim?.status?.phase !== 'Bound') return;
    if (requestedSize(claim) <= nanosOf(claim.status.capacity?.['storage'] ?? 0)) return;
    const message = 'waiting for an external controller to expand this PVC';
    events.record(claim, 'Normal', 'ExternalExpanding', message);
  };
  const hasGrown = {
    update: (old: CachedClaim, claim: CachedClaim) => requestedSize(claim) > requestedSize(old),
    delete: () => false,
  };
  new ControllerBuilder(manager)
    .named('volume-expander')
    .for(PersistentVolumeClaim, { predicates: [hasGrown] })
    .complete(reconcile);
};
