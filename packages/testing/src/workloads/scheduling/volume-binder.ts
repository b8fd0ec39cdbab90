import type { Clock } from 'ots-apimachinery/clock/clock';
import { PersistentVolume, PersistentVolumeClaim } from 'ots-kubernetes/core/v1';
import { type Cache, type Client, type Request, keyOf } from 'ots-runtime';
import type { CachedPod } from '../pods/pod-state.ts';
import { selectedNode } from '../volumes/volume-annotations.ts';
import { type PodClaims, findVolume, isProvisioned } from './claims.ts';
import type { NodeView } from './cluster-state.ts';

/** How long the scheduler waits for volumes: `bindTimeoutSeconds` of the plugin VolumeBinding by default. */
const bindTimeoutMs = 600_000;

/** What a pod says whose volumes did not come. */
export const bindingTimedOut =
  'running PreBind plugin "VolumeBinding": binding volumes: context deadline exceeded';

/** Asks for the volumes of pods that have a node, and says how long the scheduler waits for them. */
export class VolumeBinder {
  readonly #client: Client;
  readonly #cache: Cache;
  readonly #clock: Clock;
  /** When the waiting ends, in milliseconds of the clock, by the UIDs of the pods; these by their names. */
  readonly #waiting = new Map<string, { readonly uid: string; readonly until: number }>();

  /** @param client writes in the name of the scheduler */
  constructor(client: Client, { cache, clock }: { cache: Cache; clock: Clock }) {
    this.#client = client;
    this.#cache = cache;
    this.#clock = clock;
  }

  /** How long a pod still waits, in milliseconds: 0 if the time is over, undefined if it has not begun to. */
  remaining({ metadata }: CachedPod): number | undefined {
    const waiting = this.#waiting.get(nameOf(metadata));
    return waiting?.uid === metadata.uid ? Math.max(0, waiting!.until - this.#clock.now()) : undefined;
  }

  /** Begins to wait. @returns for how long, in milliseconds */
  begin({ metadata }: CachedPod): number {
    const until = this.#clock.now() + bindTimeoutMs;
    this.#waiting.set(nameOf(metadata), { uid: metadata.uid!, until });
    return bindTimeoutMs;
  }

  /** Forgets a pod that does not wait any more. */
  forget(pod: Pick<Request, 'name' | 'namespace'>): void {
    this.#waiting.delete(nameOf(pod));
  }

  /** Says on which node the volumes are needed. */
  async ask({ delayed }: PodClaims, view: NodeView): Promise<void> {
    for (const claim of delayed) {
      const volume = findVolume(claim, view, this.#cache);
      const { name = '', namespace = '', uid = '', annotations: given } = claim.metadata;
      if (volume) {
        if (volume.spec?.claimRef) continue;
        const claimRef = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', name, namespace, uid };
        await this.#client.patch(PersistentVolume, keyOf(volume), { spec: { claimRef } });
      } else if (isProvisioned(claim, this.#cache) && given?.[selectedNode] === undefined) {
        const annotations = { [selectedNode]: view.node.metadata.name! };
        await this.#client.patch(PersistentVolumeClaim, { name, namespace }, { metadata: { annotations } });
      }
    }
  }
}

function nameOf({ name, namespace }: Partial<Pick<Request, 'name' | 'namespace'>>): string {
  return `${namespace}/${name}`;
}
