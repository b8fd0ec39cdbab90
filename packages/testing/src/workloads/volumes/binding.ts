import { isDeepStrictEqual } from 'node:util';
import { nanosOf } from 'ots-apimachinery/quantity/amount';
import {
  PersistentVolume,
  PersistentVolumeClaim,
  type PersistentVolumeClaimStatus,
  type PersistentVolumeStatus,
} from 'ots-kubernetes/core/v1';
import type { Client, DeepReadonly } from 'ots-runtime';
import { type CachedClaim, type CachedVolume, isVolumeOf } from './claim.ts';
import { bindCompleted, boundByController } from './volume-annotations.ts';

type VolumePhase = NonNullable<PersistentVolumeStatus['phase']>;
type ClaimPhase = NonNullable<PersistentVolumeClaimStatus['phase']>;

/** Writes both sides of a binding, in the order of Kubernetes: first the volume, then the claim. What is there already is not written. */
export class Binding {
  readonly #client: Client;

  /** @param client writes in the name of the controller */
  constructor(client: Client) {
    this.#client = client;
  }

  /** Binds a volume to a claim. */
  async bind(volume: CachedVolume, claim: CachedClaim): Promise<void> {
    const own = await this.#bindVolume(volume, claim);
    const bound = await this.setVolumePhase(own, 'Bound');
    await this.setClaimPhase(await this.#bindClaim(claim, bound), 'Bound', bound);
  }

  /** Makes a volume available again. A reservation by its author stays. */
  async unbind(volume: CachedVolume): Promise<void> {
    const { claimRef, ...spec } = volume.spec ?? {};
    const { [boundByController]: wasBound, ...annotations } = volume.metadata.annotations ?? {};
    const { uid: _uid, ...reservation } = claimRef ?? {};
    const released =
      wasBound === undefined
        ? { ...volume, spec: { ...spec, claimRef: reservation } }
        : { ...volume, metadata: { ...volume.metadata, annotations }, spec };
    await this.setVolumePhase(await this.#client.update(PersistentVolume, released), 'Available');
  }

  /** @param message why it has the phase. Default none. */
  async setVolumePhase(volume: CachedVolume, phase: VolumePhase, message?: string): Promise<CachedVolume> {
    if (volume.status?.phase === phase) return volume;
    const { message: _before, ...status } = volume.status ?? {};
    const changed = { ...status, phase, ...(message !== undefined && { message }) };
    return this.#client.status.update(PersistentVolume, { ...volume, status: changed });
  }

  /** @param volume that of the claim, if it has one */
  async setClaimPhase(claim: CachedClaim, phase: ClaimPhase, volume?: CachedVolume): Promise<CachedClaim> {
    const status = volume ? statusWith(claim, phase, volume) : statusWithout(claim, phase);
    if (isDeepStrictEqual(claim.status, status)) return claim;
    return this.#client.status.update(PersistentVolumeClaim, { ...claim, status });
  }

  async #bindVolume(volume: CachedVolume, claim: CachedClaim): Promise<CachedVolume> {
    const { name = '', namespace = '', uid = '', resourceVersion = '' } = claim.metadata;
    const { annotations = {} } = volume.metadata;
    const { claimRef } = volume.spec ?? {};
    const isChosen = !isVolumeOf(volume, claim) && annotations[boundByController] === undefined;
    if (claimRef?.uid === uid && !isChosen) return volume;
    const kind = { apiVersion: 'v1', kind: 'PersistentVolumeClaim' };
    return this.#client.update(PersistentVolume, {
      ...volume,
      metadata: {
        ...volume.metadata,
        ...(isChosen && { annotations: { ...annotations, [boundByController]: 'yes' } }),
      },
      spec: { ...volume.spec, claimRef: { ...kind, namespace, name, uid, resourceVersion } },
    });
  }

  async #bindClaim(claim: CachedClaim, { metadata: { name = '' } }: CachedVolume): Promise<CachedClaim> {
    const isChosen = claim.spec?.volumeName !== name;
    const annotations = {
      ...(isChosen && { [boundByController]: 'yes' }),
      [bindCompleted]: 'yes',
      ...claim.metadata.annotations,
    };
    if (!isChosen && claim.metadata.annotations?.[bindCompleted] !== undefined) return claim;
    return this.#client.update(PersistentVolumeClaim, {
      ...claim,
      metadata: { ...claim.metadata, annotations },
      spec: { ...claim.spec, volumeName: name },
    });
  }
}

function statusWithout(
  { status }: CachedClaim,
  phase: ClaimPhase,
): DeepReadonly<PersistentVolumeClaimStatus> {
  const {
    accessModes: _modes,
    capacity: _capacity,
    currentVolumeAttributesClassName: _class,
    ...rest
  } = status ?? {};
  return { ...rest, phase };
}

/** The capacity of a claim that is bound already changes when the volume is resized. */
function statusWith(
  { status = {} }: CachedClaim,
  phase: ClaimPhase,
  { spec = {} }: CachedVolume,
): DeepReadonly<PersistentVolumeClaimStatus> {
  const { accessModes, capacity, volumeAttributesClassName } = spec;
  const isNew = status.phase !== phase;
  const hasSize = nanosOf(status.capacity?.['storage'] ?? 0) === nanosOf(capacity?.['storage'] ?? 0);
  return {
    ...status,
    phase,
    ...(accessModes && { accessModes }),
    ...(isNew && !hasSize && capacity && { capacity }),
    ...(status.phase === 'Pending' &&
      isNew &&
      volumeAttributesClassName !== undefined && {
        currentVolumeAttributesClassName: volumeAttributesClassName,
      }),
  };
}
