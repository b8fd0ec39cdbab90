import { PersistentVolume, PersistentVolumeClaim, Pod } from 'ots-kubernetes/core/v1';
import { VolumeAttributesClass } from 'ots-kubernetes/storage/v1';
import type { Kind, KubernetesObject } from 'ots-kubernetes';
import {
  type Client,
  ControllerBuilder,
  type DeepReadonly,
  type Reconciler,
  type Request,
} from 'ots-runtime';
import { claimRequests, claimsOfPod, indexByClaim, podsOfClaim } from '../pods/claims-of-pod.ts';
import { retryRefusals } from '../retry-refusals.ts';
import type { AddController, WorkloadContext } from '../workload-context.ts';
import type { CachedClaim } from './claim.ts';

/** Keeps a claim while a pod on a node uses it, as the persistentvolumeclaim-protection-controller does. */
export const addClaimProtection: AddController = (context) => {
  const { manager, clock } = context;
  indexByClaim(manager.cache);
  const protection = new Protection(context, {
    kind: PersistentVolumeClaim,
    controller: 'pvc-protection-controller',
    finalizer: 'kubernetes.io/pvc-protection',
    isInUse: async (claim) =>
      podsOfClaim(manager.cache, claim).some(isOnNode) || (await isUsedByNewPod(manager.apiReader, claim)),
  });
  new ControllerBuilder(manager)
    .named('pvc-protection')
    .for(PersistentVolumeClaim)
    .watches(Pod, claimRequests)
    .complete(retryRefusals(protection, clock));
};

/** Keeps a volume while it is bound, as the persistentvolume-protection-controller does. */
export const addVolumeProtection: AddController = (context) => {
  const { manager, clock } = context;
  const protection = new Protection(context, {
    kind: PersistentVolume,
    controller: 'pv-protection-controller',
    finalizer: 'kubernetes.io/pv-protection',
    isInUse: ({ status }) => Promise.resolve(status?.phase === 'Bound'),
  });
  new ControllerBuilder(manager)
    .named('pv-protection')
    .for(PersistentVolume)
    .complete(retryRefusals(protection, clock));
};

/** Keeps a class of volume attributes while a claim or a volume names it, as the volumeattributesclass-protection-controller does. */
export const addAttributesClassProtection: AddController = (context) => {
  const { manager, clock } = context;
  const { cache } = manager;
  const protection = new Protection(context, {
    kind: VolumeAttributesClass,
    controller: 'volumeattributesclass-protection-controller',
    finalizer: 'kubernetes.io/vac-protection',
    isInUse: ({ metadata: { name = '' } }) => {
      const users = [
        ...cache.list(PersistentVolume).flatMap(classesOfVolume),
        ...cache.list(PersistentVolumeClaim).flatMap(classesOfClaim),
      ];
      return Promise.resolve(users.includes(name));
    },
  });
  new ControllerBuilder(manager)
    .named('vac-protection')
    .for(VolumeAttributesClass)
    .watches(PersistentVolume, (volume) => requestsFor(classesOfVolume(volume)))
    .watches(PersistentVolumeClaim, (claim) => requestsFor(classesOfClaim(claim)))
    .complete(retryRefusals(protection, clock));
};

function classesOfVolume({ spec }: DeepReadonly<PersistentVolume>): (string | undefined)[] {
  return [spec?.volumeAttributesClassName];
}

function classesOfClaim({ spec, status }: CachedClaim): (string | undefined)[] {
  return [
    spec?.volumeAttributesClassName,
    status?.currentVolumeAttributesClassName,
    status?.modifyVolumeStatus?.targetVolumeAttributesClassName,
  ];
}

function requestsFor(names: readonly (string | undefined)[]): Request[] {
  return names.filter((name) => name).map((name) => ({ name: name! }));
}

function isOnNode({ spec }: DeepReadonly<Pod>): boolean {
  return Boolean(spec?.nodeName);
}

/** The cache may not have a pod that was bound just now. */
async function isUsedByNewPod(
  live: Client,
  { metadata: { name, namespace } }: CachedClaim,
): Promise<boolean> {
  const { items } = await live.list(Pod, { namespace });
  return items.some((pod) => isOnNode(pod) && claimsOfPod(pod).some((claim) => claim.name === name));
}

interface ProtectedKind<T extends KubernetesObject> {
  readonly kind: Kind<T>;
  /** Who adds and removes the finalizer. */
  readonly controller: string;
  readonly finalizer: string;
  isInUse(object: DeepReadonly<T>): Promise<boolean>;
}

/** Adds a finalizer to the objects of a kind, and removes it when an object is deleted and not in use. */
class Protection<T extends KubernetesObject> implements Reconciler {
  readonly #context: WorkloadContext;
  readonly #protected: ProtectedKind<T>;
  readonly #client: Client;

  constructor(context: WorkloadContext, kind: ProtectedKind<T>) {
    this.#context = context;
    this.#protected = kind;
    this.#client = context.clientOf(kind.controller);
  }

  async reconcile(request: Request): Promise<void> {
    const { kind, finalizer } = this.#protected;
    const object = this.#context.manager.cache.get(kind, request);
    if (!object) return;
    const { finalizers = [], deletionTimestamp } = object.metadata;
    const isProtected = finalizers.includes(finalizer);
    if (deletionTimestamp === undefined && !isProtected) await this.#set(object, [...finalizers, finalizer]);
    if (deletionTimestamp === undefined || !isProtected || (await this.#protected.isInUse(object))) return;
    await this.#set(
      object,
      finalizers.filter((other) => other !== finalizer),
    );
  }

  async #set(object: DeepReadonly<T>, finalizers: readonly string[]): Promise<void> {
    await this.#client.update(this.#protected.kind, {
      ...object,
      metadata: { ...object.metadata, finalizers },
    });
  }
}
