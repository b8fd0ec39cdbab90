import { type Client, isAlreadyExists, isApiError } from 'ots-runtime';
import { PersistentVolumeClaim } from 'ots-kubernetes/core/v1';
import type { EventSink } from '../event-sink.ts';
import type { CachedPod } from '../pods/pod-state.ts';
import { NotYetError } from '../retry-refusals.ts';
import { type CachedClaim, hasOtherController, isStale, retentionReferences } from './claim-retention.ts';
import { type CachedSet, ordinalOf } from './identity.ts';
import { claimName } from './stateful-pod.ts';

type ClaimTemplate = NonNullable<CachedSet['spec']['volumeClaimTemplates']>[number];

/** Creates the claims of a StatefulSet's pods and gives them the owners that the retention policy asks for. */
export class ClaimControl {
  readonly #client: Client;
  readonly #events: EventSink;

  /** @param client reads from the cache and writes in the name of the controller */
  constructor(client: Client, events: EventSink) {
    this.#client = client;
    this.#events = events;
  }

  /**
   * Creates the claims that a pod lacks.
   *
   * @throws {NotYetError} when one could not be created or is being deleted, after the others were tried
   */
  async create(set: CachedSet, pod: CachedPod): Promise<void> {
    const failures: string[] = [];
    for (const template of set.spec.volumeClaimTemplates ?? []) {
      const name = nameOf(set, pod, template);
      const existing = await this.#get(set, name);
      if (existing?.metadata.deletionTimestamp !== undefined) failures.push(`pvc ${name} is being deleted`);
      if (existing) continue;
      try {
        await this.#createOne(set, pod, template);
      } catch (error) {
        if (!isApiError(error)) throw error;
        failures.push(`failed to create PVC ${name}: ${error.message}`);
      }
    }
    if (failures.length === 1) throw new NotYetError(failures[0]);
    if (failures.length > 1) throw new NotYetError(`[${failures.join(', ')}]`);
  }

  /** Whether the policy changes nothing about the claims of a pod. */
  async areRetained(set: CachedSet, pod: CachedPod): Promise<boolean> {
    const claims = await this.#claimsOf(set, pod);
    return claims.every((claim) => retentionReferences(claim, { set, pod }) === undefined);
  }

  /** Gives the claims of a pod the owners that the policy asks for. */
  async retain(set: CachedSet, pod: CachedPod): Promise<void> {
    for (const claim of await this.#claimsOf(set, pod)) {
      const { name } = claim.metadata;
      if (hasOtherController(claim, { set, pod })) {
        const message = `PersistentVolumeClaim ${name} has a conflicting OwnerReference that acts as a manging controller, the retention policy is ignored for this claim`;
        this.#events.record(set, 'Warning', 'ConflictingController', message);
      }
      const ownerReferences = retentionReferences(claim, { set, pod });
      if (!ownerReferences) continue;
      const metadata = { ...claim.metadata, ownerReferences };
      await this.#client.update(PersistentVolumeClaim, { ...claim, metadata });
    }
  }

  /** Whether a claim of a planned pod will be deleted with its last pod. */
  async areStale(set: CachedSet, pod: CachedPod): Promise<boolean> {
    if (set.spec.persistentVolumeClaimRetentionPolicy?.whenScaled !== 'Delete') return false;
    return (await this.#claimsOf(set, pod)).some((claim) => isStale(claim, pod));
  }

  /** Those that exist. */
  async #claimsOf(set: CachedSet, pod: CachedPod): Promise<CachedClaim[]> {
    const templates = set.spec.volumeClaimTemplates ?? [];
    const claims = await Promise.all(templates.map((template) => this.#get(set, nameOf(set, pod, template))));
    return claims.filter((claim) => claim !== undefined);
  }

  #get({ metadata: { namespace } }: CachedSet, name: string): Promise<CachedClaim | undefined> {
    return this.#client.get(PersistentVolumeClaim, { name, namespace });
  }

  async #createOne(set: CachedSet, pod: CachedPod, template: ClaimTemplate): Promise<void> {
    const { namespace } = set.metadata;
    const name = nameOf(set, pod, template);
    const labels = { ...template.metadata.labels, ...set.spec.selector.matchLabels };
    const metadata = { ...template.metadata, name, ...(namespace !== undefined && { namespace }), labels };
    const claim = { ...template, apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata } as const;
    const { name: setName } = set.metadata;
    try {
      await this.#client.create(PersistentVolumeClaim, claim);
    } catch (error) {
      if (!isAlreadyExists(error) && isApiError(error)) {
        const failed = `Create Claim ${name} for Pod ${pod.metadata.name} in StatefulSet ${setName} failed error: ${error.message}`;
        this.#events.record(set, 'Warning', 'FailedCreate', failed);
      }
      throw error;
    }
    const created = `Create Claim ${name} Pod ${pod.metadata.name} in StatefulSet ${setName} success`;
    this.#events.record(set, 'Normal', 'SuccessfulCreate', created);
  }
}

function nameOf(set: CachedSet, pod: CachedPod, { metadata: { name = '' } }: ClaimTemplate): string {
  return claimName(set, name, ordinalOf(set, pod)!);
}
