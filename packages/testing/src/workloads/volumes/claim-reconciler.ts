import { goQuote } from 'ots-apimachinery/go/go-quote';
import { PersistentVolume, PersistentVolumeClaim } from 'ots-kubernetes/core/v1';
import type { Client, Manager, Reconciler, Request, Result } from 'ots-runtime';
import type { EventSink } from '../event-sink.ts';
import { podsOfClaim } from '../pods/claims-of-pod.ts';
import { isPodTerminal } from '../pods/pod-state.ts';
import { NotYetError } from '../retry-refusals.ts';
import type { Binding } from './binding.ts';
import {
  type CachedClaim,
  type CachedClass,
  type CachedVolume,
  attributesClassOf,
  classNameOf,
  classNameOfVolume,
  classOf,
  defaultClass,
  haveDifferentModes,
  isDelayed,
  isVolumeOf,
  namesClass,
} from './claim.ts';
import { bestVolume, hasAccessModes, requestedSize, sizeOf } from './matching-volume.ts';
import type { Resync } from './resync.ts';
import {
  betaStorageProvisioner,
  bindCompleted,
  boundByController,
  selectedNode,
  storageProvisioner,
} from './volume-annotations.ts';

/** What the two halves of the binder share. */
export interface BinderContext {
  readonly manager: Manager;
  readonly client: Client;
  readonly events: EventSink;
  readonly binding: Binding;
  readonly resync: Resync;
}

/** Finds volumes for claims. */
export class ClaimReconciler implements Reconciler {
  readonly #context: BinderContext;

  constructor(context: BinderContext) {
    this.#context = context;
  }

  async reconcile({ name, namespace }: Request): Promise<Result | void> {
    const { manager, resync } = this.#context;
    const claim = manager.cache.get(PersistentVolumeClaim, { name, namespace });
    if (!claim) return;
    await (claim.metadata.annotations?.[bindCompleted] === undefined ? this.#find(claim) : this.#keep(claim));
    const { status } = manager.cache.get(PersistentVolumeClaim, { name, namespace }) ?? claim;
    if (status?.phase !== 'Bound') return { requeueAfter: resync.next() };
  }

  async #find(claim: CachedClaim): Promise<void> {
    const { manager, binding } = this.#context;
    if (claim.spec?.volumeName) return this.#findNamed(claim, claim.spec.volumeName);
    const isReservedOnly = isDelayed(claim, manager.cache);
    const volume = bestVolume(claim, { volumes: manager.cache.list(PersistentVolume), isReservedOnly });
    if (volume) return binding.bind(volume, claim);
    if (await this.#giveDefaultClass(claim)) return;
    if (isReservedOnly && claim.metadata.annotations?.[selectedNode] === undefined) this.#waitForPod(claim);
    else if (classNameOf(claim) !== '') return this.#provision(claim);
    else
      this.#say(
        claim,
        'Normal',
        'FailedBinding',
        'no persistent volumes available for this claim and no storage class is set',
      );
    await binding.setClaimPhase(claim, 'Pending');
  }

  async #findNamed(claim: CachedClaim, name: string): Promise<void> {
    const { manager, binding } = this.#context;
    const volume = manager.cache.get(PersistentVolume, { name });
    if (volume && isVolumeOf(volume, claim)) return binding.bind(volume, claim);
    if (volume && !volume.spec?.claimRef) {
      const problem = mismatch(volume, claim);
      if (problem === undefined) return binding.bind(volume, claim);
      const message = `Cannot bind to requested volume ${goQuote(name)}: ${problem}`;
      this.#say(claim, 'Warning', 'VolumeMismatch', message);
    } else if (volume) {
      const message = `volume ${goQuote(name)} already bound to a different claim.`;
      this.#say(claim, 'Warning', 'FailedBinding', message);
      if (claim.metadata.annotations?.[boundByController] !== undefined) throw new NotYetError(message);
    }
    await binding.setClaimPhase(claim, 'Pending');
  }

  /** A claim that was bound stays bound, or is lost. */
  async #keep(claim: CachedClaim): Promise<void> {
    const name = claim.spec?.volumeName;
    if (!name)
      return this.#lose(
        claim,
        'ClaimLost',
        'Bound claim has lost reference to PersistentVolume. Data on the volume is lost!',
      );
    const volume = this.#context.manager.cache.get(PersistentVolume, { name });
    if (!volume)
      return this.#lose(
        claim,
        'ClaimLost',
        'Bound claim has lost its PersistentVolume. Data on the volume is lost!',
      );
    const { claimRef } = volume.spec ?? {};
    if (!claimRef || claimRef.uid === claim.metadata.uid) return this.#context.binding.bind(volume, claim);
    const message = 'Two claims are bound to the same volume, this one is bound incorrectly';
    return this.#lose(claim, 'ClaimMisbound', message);
  }

  async #lose(claim: CachedClaim, reason: string, message: string): Promise<void> {
    if (claim.status?.phase === 'Lost') return;
    this.#say(await this.#context.binding.setClaimPhase(claim, 'Lost'), 'Warning', reason, message);
  }

  async #giveDefaultClass(claim: CachedClaim): Promise<boolean> {
    const { client, manager } = this.#context;
    const storageClass = namesClass(claim) ? undefined : defaultClass(manager.cache);
    if (!storageClass) return false;
    const spec = { ...claim.spec, storageClassName: storageClass.metadata.name! };
    await client.update(PersistentVolumeClaim, { ...claim, spec });
    return true;
  }

  #waitForPod(claim: CachedClaim): void {
    const names = podsOfClaim(this.#context.manager.cache, claim)
      .filter((pod) => !isPodTerminal(pod) && !pod.spec?.nodeName)
      .map(({ metadata }) => metadata.name);
    if (names.length === 0) {
      const message = 'waiting for first consumer to be created before binding';
      this.#say(claim, 'Normal', 'WaitForFirstConsumer', message);
      return;
    }
    const pods = `${names.length > 1 ? 'pods' : 'pod'} ${names.join()}`;
    this.#say(claim, 'Normal', 'WaitForPodScheduled', `waiting for ${pods} to be scheduled`);
  }

  async #provision(claim: CachedClaim): Promise<void> {
    const storageClass = classOf(claim, this.#context.manager.cache);
    const problem = whyNotProvisioned(claim, storageClass);
    if (problem !== undefined) return this.#say(claim, 'Warning', 'ProvisioningFailed', problem);
    const { provisioner } = storageClass!;
    const asked = await this.#setProvisioner(claim, provisioner);
    const message =
      `Waiting for a volume to be created either by the external provisioner '${provisioner}' ` +
      'or manually by the system administrator. If volume creation is delayed, please verify that ' +
      'the provisioner is running and correctly registered.';
    this.#say(asked, 'Normal', 'ExternalProvisioning', message);
  }

  async #setProvisioner(claim: CachedClaim, provisioner: string): Promise<CachedClaim> {
    const { annotations = {} } = claim.metadata;
    if (annotations[storageProvisioner] === provisioner) return claim;
    const asked = { [betaStorageProvisioner]: provisioner, [storageProvisioner]: provisioner };
    const metadata = { ...claim.metadata, annotations: { ...annotations, ...asked } };
    return this.#context.client.update(PersistentVolumeClaim, { ...claim, metadata });
  }

  #say(claim: CachedClaim, type: 'Normal' | 'Warning', reason: string, message: string): void {
    this.#context.events.record(claim, type, reason, message);
  }
}

/** Why a claim cannot have the volume that it names. */
function mismatch(volume: CachedVolume, claim: CachedClaim): string | undefined {
  if (volume.metadata.deletionTimestamp !== undefined)
    return `the volume is marked for deletion ${goQuote(volume.metadata.name!)}`;
  if (sizeOf(volume) < requestedSize(claim)) return 'requested PV is too small';
  if (classNameOfVolume(volume) !== classNameOf(claim)) return 'storageClassName does not match';
  if (attributesClassOf(volume) !== attributesClassOf(claim))
    return 'volumeAttributesClassName does not match';
  if (haveDifferentModes(claim, volume)) return 'incompatible volumeMode';
  return hasAccessModes(volume, claim) ? undefined : 'incompatible accessMode';
}

/** Provisioners with this prefix were part of Kubernetes. */
function whyNotProvisioned(claim: CachedClaim, storageClass: CachedClass | undefined): string | undefined {
  if (!storageClass) return `storageclass.storage.k8s.io ${goQuote(classNameOf(claim))} not found`;
  const { provisioner } = storageClass;
  return provisioner.startsWith('kubernetes.io/')
    ? `no volume plugin matched name: ${provisioner}`
    : undefined;
}
