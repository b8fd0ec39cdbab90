import { nanosOf } from 'ots-apimachinery/quantity/amount';
import { PersistentVolume, PersistentVolumeClaim } from 'ots-kubernetes/core/v1';
import {
  type Client,
  ControllerBuilder,
  type RateLimiter,
  type Request,
  type Result,
  isAlreadyExists,
  isNotFound,
  itemExponentialRateLimiter,
  keyOf,
} from 'ots-runtime';
import type { EventSink } from '../event-sink.ts';
import type { ComponentUser, NodeContext } from '../nodes/node-context.ts';
import { retryRefusals } from '../retry-refusals.ts';
import { timeText } from '../time-text.ts';
import { type CachedClaim, type CachedVolume, classNameOf, classOf, isDelayed } from './claim.ts';
import { requestedSize } from './matching-volume.ts';
import { provisionedBy, selectedNode, storageProvisioner } from './volume-annotations.ts';

/** The provisioner of simulated volumes, for the classes of authors. */
export const simulatedProvisioner = 'ots.dev/simulated';
/** How long a simulated provisioner takes, in milliseconds. */
const workTime = 1000;
/** How long it waits after a failure, and after many, as external-provisioner. */
const retryDelays = { base: '1s', max: '5m' } as const;

/** Roles for it would be objects that a test does not expect. */
const provisionerUser: ComponentUser = {
  user: 'system:serviceaccount:kube-system:simulated-provisioner',
  groups: ['system:masters'],
  fieldOwner: 'simulated-provisioner',
};

/**
 * Provisions, expands and deletes the volumes of classes with {@link simulatedProvisioner}, as an external provisioner and resizer do. A
 * volume can be used from every node.
 */
export class Provisioner {
  readonly #context: NodeContext;
  readonly #client: Client;
  readonly #events: EventSink;
  /** When the work on a claim began, by UID and size, in milliseconds of the clock. */
  readonly #begun = new Map<string, number>();
  /** By UID of the claim. */
  readonly #retries: RateLimiter;

  constructor(context: NodeContext) {
    this.#context = context;
    this.#retries = itemExponentialRateLimiter({ ...retryDelays, clock: context.clock });
    this.#client = context.clientAs(provisionerUser);
    this.#events = context.eventsAs(provisionerUser, { component: simulatedProvisioner });
  }

  /** Adds the provisioner to the manager. */
  add(): void {
    const { manager, clock } = this.#context;
    new ControllerBuilder(manager)
      .named('provisioner')
      .for(PersistentVolumeClaim)
      .complete(retryRefusals({ reconcile: (request) => this.#serve(request) }, clock));
    new ControllerBuilder(manager)
      .named('provisioner-volumes')
      .for(PersistentVolume)
      .complete(retryRefusals({ reconcile: (request) => this.#deleteReleased(request) }, clock));
  }

  async #serve(request: Request): Promise<Result | void> {
    const { cache } = this.#context.manager;
    const claim = cache.get(PersistentVolumeClaim, request);
    if (!claim) return;
    if (isWaiting(claim) && !cache.get(PersistentVolume, { name: volumeNameOf(claim) })) {
      if (isDelayed(claim, cache) && claim.metadata.annotations?.[selectedNode] === undefined) return;
      return this.#provision(claim);
    }
    const volume = cache.get(PersistentVolume, { name: claim.spec?.volumeName ?? '' });
    if (volume && isOwn(volume) && hasGrown(claim)) return this.#expand(claim, volume);
  }

  async #provision(claim: CachedClaim): Promise<Result | void> {
    const { name, namespace, uid = '' } = claim.metadata;
    const requeueAfter = await this.#untilDone(claim, () => {
      const message = `External provisioner is provisioning volume for claim "${namespace}/${name}"`;
      this.#events.record(claim, 'Normal', 'Provisioning', message);
    });
    if (requeueAfter > 0) return { requeueAfter };
    const problem = this.#context.failures.provisioningError(claim);
    if (problem !== undefined) {
      this.#events.record(claim, 'Warning', 'ProvisioningFailed', problem);
      return { requeueAfter: this.#retries.when(uid) };
    }
    this.#retries.forget(uid);
    await this.#createVolume(claim);
    const message = `Successfully provisioned volume ${volumeNameOf(claim)}`;
    this.#events.record(claim, 'Normal', 'ProvisioningSucceeded', message);
  }

  async #createVolume(claim: CachedClaim): Promise<void> {
    const storageClass = classOf(claim, this.#context.manager.cache);
    await unless(
      isAlreadyExists,
      this.#client.create(PersistentVolume, {
        apiVersion: 'v1',
        kind: 'PersistentVolume',
        metadata: { name: volumeNameOf(claim), annotations: { [provisionedBy]: simulatedProvisioner } },
        spec: {
          accessModes: [...(claim.spec?.accessModes ?? [])],
          capacity: { storage: claim.spec?.resources?.requests?.['storage'] ?? '1Gi' },
          claimRef: { apiVersion: 'v1', kind: 'PersistentVolumeClaim', ...referenceTo(claim) },
          hostPath: { path: `/var/lib/simulated-volumes/${volumeNameOf(claim)}`, type: 'DirectoryOrCreate' },
          mountOptions: [...(storageClass?.mountOptions ?? [])],
          persistentVolumeReclaimPolicy: storageClass?.reclaimPolicy ?? 'Delete',
          storageClassName: classNameOf(claim),
          volumeMode: claim.spec?.volumeMode ?? 'Filesystem',
        },
      }),
    );
  }

  async #expand(claim: CachedClaim, volume: CachedVolume): Promise<Result | void> {
    const requeueAfter = await this.#untilDone(claim, async () => {
      const message = `External resizer is resizing volume ${volume.metadata.name}`;
      this.#events.record(claim, 'Normal', 'Resizing', message);
      const lastTransitionTime = timeText(this.#context.clock.epoch());
      const conditions = [{ type: 'Resizing', status: 'True', lastTransitionTime } as const];
      const status = { ...claim.status, conditions };
      await this.#client.status.update(PersistentVolumeClaim, { ...claim, status });
    });
    if (requeueAfter > 0) return { requeueAfter };
    const capacity = { storage: claim.spec?.resources?.requests?.['storage'] ?? '' };
    await this.#client.update(PersistentVolume, { ...volume, spec: { ...volume.spec, capacity } });
    const { conditions: _resizing, ...status } = claim.status ?? {};
    await this.#client.status.update(PersistentVolumeClaim, { ...claim, status: { ...status, capacity } });
    this.#events.record(claim, 'Normal', 'VolumeResizeSuccessful', 'Resize volume succeeded');
  }

  /** How long the work on a claim still takes. It begins when this is first asked, and is forgotten when it is done. */
  async #untilDone(claim: CachedClaim, begin: () => Promise<void> | void): Promise<number> {
    const now = this.#context.clock.now();
    const work = `${claim.metadata.uid} ${requestedSize(claim)}`;
    const begun = this.#begun.get(work);
    if (begun === undefined) {
      this.#begun.set(work, now);
      await begin();
      return workTime;
    }
    const wait = begun + workTime - now;
    if (wait <= 0) this.#begun.delete(work);
    return wait;
  }

  async #deleteReleased(request: Request): Promise<void> {
    const volume = this.#context.manager.cache.get(PersistentVolume, request);
    if (!volume || !isOwn(volume) || volume.metadata.deletionTimestamp !== undefined) return;
    const { status, spec } = volume;
    if (status?.phase !== 'Released' || spec?.persistentVolumeReclaimPolicy !== 'Delete') return;
    await unless(isNotFound, this.#client.delete(PersistentVolume, keyOf(volume)));
  }
}

function isWaiting({ metadata, spec }: CachedClaim): boolean {
  return (
    !spec?.volumeName &&
    metadata.deletionTimestamp === undefined &&
    metadata.annotations?.[storageProvisioner] === simulatedProvisioner
  );
}

function isOwn({ metadata }: CachedVolume): boolean {
  return metadata.annotations?.[provisionedBy] === simulatedProvisioner;
}

function hasGrown(claim: CachedClaim): boolean {
  const { phase, capacity } = claim.status ?? {};
  return phase === 'Bound' && requestedSize(claim) > nanosOf(capacity?.['storage'] ?? 0);
}

function volumeNameOf({ metadata }: CachedClaim): string {
  return `pvc-${metadata.uid}`;
}

function referenceTo({ metadata }: CachedClaim) {
  const { name = '', namespace = '', uid = '', resourceVersion = '' } = metadata;
  return { name, namespace, uid, resourceVersion };
}

/** Ignores one kind of refusal. */
async function unless(isExpected: (error: unknown) => boolean, request: Promise<unknown>): Promise<void> {
  try {
    await request;
  } catch (error) {
    if (!isExpected(error)) throw error;
  }
}
