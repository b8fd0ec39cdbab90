import { goQuote } from 'ots-apimachinery/go/go-quote';
import { PersistentVolume, PersistentVolumeClaim } from 'ots-kubernetes/core/v1';
import { type Channel, type Reconciler, type Request, type Result, isNotFound, keyOf } from 'ots-runtime';
import { type CachedClaim, type CachedVolume, haveDifferentModes } from './claim.ts';
import type { BinderContext } from './claim-reconciler.ts';
import { deleterOf } from './reclaim.ts';
import { provisionedBy } from './volume-annotations.ts';

/** Keeps the phase of volumes, and reclaims those whose claims are gone. */
export class VolumeReconciler implements Reconciler {
  readonly #context: BinderContext;
  readonly #claims: Channel;

  /** @param claims where to send claims that have a volume but do not know it */
  constructor(context: BinderContext, claims: Channel) {
    this.#context = context;
    this.#claims = claims;
  }

  async reconcile({ name }: Request): Promise<Result | void> {
    const { manager, resync } = this.#context;
    const volume = manager.cache.get(PersistentVolume, { name });
    if (!volume) return;
    await this.#sync(volume);
    if (manager.cache.get(PersistentVolume, { name })?.status?.phase === 'Failed')
      return { requeueAfter: resync.next() };
  }

  async #sync(volume: CachedVolume): Promise<void> {
    const { binding } = this.#context;
    if (!volume.spec?.claimRef?.uid) {
      await binding.setVolumePhase(volume, 'Available');
      return;
    }
    const claim = await this.#claimOf(volume);
    if (!claim) return this.#reclaim(volume);
    if (!claim.spec?.volumeName) return this.#offer(volume, claim);
    if (claim.spec.volumeName === volume.metadata.name) await binding.setVolumePhase(volume, 'Bound');
    else if (isDisposable(volume)) await this.#reclaim(volume);
    else await binding.unbind(volume);
  }

  /** The claim to which a volume belongs. The cache may not have it yet. */
  async #claimOf({ spec, status }: CachedVolume): Promise<CachedClaim | undefined> {
    const { name = '', namespace = '', uid } = spec?.claimRef ?? {};
    const { cache, apiReader } = this.#context.manager;
    const cached = cache.get(PersistentVolumeClaim, { name, namespace });
    if (cached?.metadata.uid === uid) return cached;
    const isReleased = status?.phase === 'Released' || status?.phase === 'Failed';
    if (!cached && isReleased) return undefined;
    const claim = await apiReader.get(PersistentVolumeClaim, { name, namespace });
    return claim?.metadata.uid === uid ? claim : undefined;
  }

  /** Lets the claim find its volume. */
  #offer(volume: CachedVolume, claim: CachedClaim): void {
    if (!haveDifferentModes(claim, volume)) {
      this.#claims.push(keyOf(claim));
      return;
    }
    const [claimName, volumeName] = [claim, volume].map(({ metadata }) => goQuote(metadata.name!));
    const { events } = this.#context;
    const aboutVolume = `Cannot bind PersistentVolume to requested PersistentVolumeClaim ${claimName} due to incompatible volumeMode.`;
    events.record(volume, 'Warning', 'VolumeMismatch', aboutVolume);
    const aboutClaim = `Cannot bind PersistentVolume ${volumeName} to requested PersistentVolumeClaim due to incompatible volumeMode.`;
    events.record(claim, 'Warning', 'VolumeMismatch', aboutClaim);
  }

  async #reclaim(volume: CachedVolume): Promise<void> {
    const { binding } = this.#context;
    const isReleased = volume.status?.phase === 'Released' || volume.status?.phase === 'Failed';
    const released = isReleased ? volume : await binding.setVolumePhase(volume, 'Released');
    if (released.spec?.persistentVolumeReclaimPolicy === 'Delete') await this.#delete(released);
  }

  async #delete(volume: CachedVolume): Promise<void> {
    const { client, events, binding } = this.#context;
    const deleter = deleterOf(volume);
    if (deleter === 'provisioner') return;
    if (deleter === 'controller') {
      await client.delete(PersistentVolume, keyOf(volume)).catch((error: unknown) => {
        if (!isNotFound(error)) throw error;
      });
    } else if (volume.status?.phase !== 'Failed') {
      const { problem } = deleter;
      const failed = await binding.setVolumePhase(volume, 'Failed', problem);
      events.record(failed, 'Warning', 'VolumeFailedDelete', problem);
    }
  }
}

/** Whether a volume was made for a claim that has another one now. */
function isDisposable({ metadata, spec }: CachedVolume): boolean {
  return (
    metadata.annotations?.[provisionedBy] !== undefined && spec?.persistentVolumeReclaimPolicy === 'Delete'
  );
}
