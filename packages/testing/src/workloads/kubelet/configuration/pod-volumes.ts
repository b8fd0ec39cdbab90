import type { CachedPod } from '../../pods/pod-state.ts';
import { ConfigurationError } from './configuration-error.ts';
import { type VolumeFiles, type VolumeSources, filesOf } from './volumes.ts';

const minRetryMs = 500;
const maxRetryMs = 122_000;
/** How long a kubelet takes to notice a change: it looks at its pods every minute. */
const refreshMs = 60_000;

/** What is mounted, and what is to be mounted again. */
export interface VolumesMemory {
  readonly retryAt: number;
  readonly delay: number;
  readonly refreshAt: number;
  readonly mounted: ReadonlyMap<string, VolumeFiles> | undefined;
}

/** The volumes of a pod on its node. Times are milliseconds since 1970. */
export class PodVolumes {
  /** When to try again to mount them. */
  retryAt: number;
  #delay: number;
  #refreshAt: number;
  #mounted: ReadonlyMap<string, VolumeFiles> | undefined;

  /** @param memory what was mounted before. Default: nothing. */
  constructor(memory: VolumesMemory = { retryAt: 0, delay: 0, refreshAt: Infinity, mounted: undefined }) {
    this.retryAt = memory.retryAt;
    this.#delay = memory.delay;
    this.#refreshAt = memory.refreshAt;
    this.#mounted = memory.mounted;
  }

  get memory(): VolumesMemory {
    const { retryAt } = this;
    return { retryAt, delay: this.#delay, refreshAt: this.#refreshAt, mounted: this.#mounted };
  }

  /** What was mounted last; undefined before the first time. */
  get mounted(): ReadonlyMap<string, VolumeFiles> | undefined {
    return this.#mounted;
  }

  /** When to mount them again because something in them has changed; Infinity if nothing has. */
  get refreshAt(): number {
    return Math.max(this.#refreshAt, this.retryAt);
  }

  /**
   * Mounts the volumes with the contents that they have now.
   *
   * @param fail says which volume cannot be mounted, and why
   * @returns undefined if one cannot be mounted. Volumes that were mounted before keep their contents then.
   */
  async mount(
    { spec }: CachedPod,
    { sources, now, fail }: { sources: VolumeSources; now: number; fail: (message: string) => void },
  ): Promise<ReadonlyMap<string, VolumeFiles> | undefined> {
    if (now < this.retryAt) return this.#mounted;
    // Before anything is read: what changes from now on counts.
    this.#refreshAt = Infinity;
    const volumes = new Map<string, VolumeFiles>();
    const failures: string[] = [];
    for (const volume of spec?.volumes ?? []) {
      try {
        volumes.set(volume.name, await filesOf(volume, sources));
      } catch (error) {
        if (!(error instanceof ConfigurationError)) throw error;
        failures.push(`MountVolume.SetUp failed for volume "${volume.name}" : ${error.message}`);
      }
    }
    if (failures.length === 0) {
      this.#delay = 0;
      return (this.#mounted = volumes);
    }
    for (const failure of failures) fail(failure);
    this.#delay = Math.min(Math.max(2 * this.#delay, minRetryMs), maxRetryMs);
    this.retryAt = now + this.#delay;
    this.#refreshAt = now;
    return this.#mounted;
  }

  /** Something in the volumes has changed. */
  change(now: number): void {
    this.#refreshAt = Math.min(this.#refreshAt, now + refreshMs);
  }
}
