import { PersistentVolume, PersistentVolumeClaim } from 'ots-kubernetes/core/v1';
import { StorageClass } from 'ots-kubernetes/storage/v1';
import { Channel, ControllerBuilder, type DeepReadonly } from 'ots-runtime';
import { indexByClaim } from '../pods/claims-of-pod.ts';
import { retryRefusals } from '../retry-refusals.ts';
import type { AddController } from '../workload-context.ts';
import { Binding } from './binding.ts';
import { type BinderContext, ClaimReconciler } from './claim-reconciler.ts';
import { Resync } from './resync.ts';
import { VolumeReconciler } from './volume-reconciler.ts';

const name = 'persistent-volume-binder';
const onlyDeletions = { create: () => false, update: () => false };

/** Binds claims to volumes, as the persistentvolume-binder-controller of kube-controller-manager does. */
export const addPersistentVolumeBinder: AddController = (context) => {
  const { manager, clock } = context;
  manager.cache.add(StorageClass);
  indexByClaim(manager.cache);
  const client = context.clientOf(name);
  const binder: BinderContext = {
    manager,
    client,
    events: context.eventsOf(name, 'persistentvolume-controller'),
    binding: new Binding(client),
    resync: new Resync(clock),
  };
  const claims = new Channel({ name: 'claims of volumes' });
  new ControllerBuilder(manager)
    .for(PersistentVolumeClaim)
    .watches(PersistentVolume, claimOf, { predicates: [onlyDeletions] })
    .watchesSource(claims)
    .complete(retryRefusals(new ClaimReconciler(binder), clock));
  new ControllerBuilder(manager)
    .for(PersistentVolume)
    .watches(PersistentVolumeClaim, volumeOf, { predicates: [onlyDeletions] })
    .complete(retryRefusals(new VolumeReconciler(binder, claims), clock));
};

function claimOf({ spec }: DeepReadonly<PersistentVolume>) {
  const { name: claim = '', namespace = '' } = spec?.claimRef ?? {};
  return claim === '' ? [] : [{ name: claim, namespace }];
}

function volumeOf({ spec }: DeepReadonly<PersistentVolumeClaim>) {
  return spec?.volumeName ? [{ name: spec.volumeName }] : [];
}
