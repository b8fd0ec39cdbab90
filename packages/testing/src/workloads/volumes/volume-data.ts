import { PersistentVolume, PersistentVolumeClaim, Pod } from 'ots-kubernetes/core/v1';
import type { Cache } from 'ots-runtime';
import { TestEnvironmentError } from '../../errors/test-environment-error.ts';
import type { CachedPod } from '../pods/pod-state.ts';

/** Files by their paths in a volume, of each volume with data, by its key. */
export type DataMemory = ReadonlyMap<string, ReadonlyMap<string, string>>;

/**
 * What simulated applications keep on the volumes of a cluster. It lives as long as the PersistentVolume, or as the pod of an emptyDir.
 */
export class VolumeData {
  readonly #cache: Cache;
  /** By the UID of the PersistentVolume, or for an emptyDir by the UID of its pod, a slash and its name. */
  readonly #files: Map<string, Map<string, string>>;

  /** @param memory what the volumes of another cluster contained, which this one continues. Default: nothing. */
  constructor(cache: Cache, memory: DataMemory = new Map()) {
    this.#cache = cache;
    this.#files = copyOf(memory);
  }

  /** What the volumes contain that still exist. */
  get memory(): DataMemory {
    if (this.#files.size === 0) return this.#files;
    const owners = [...this.#cache.list(PersistentVolume), ...this.#cache.list(Pod)];
    const uids = new Set(owners.map(({ metadata }) => metadata.uid!));
    return copyOf([...this.#files].filter(([key]) => uids.has(key.split('/')[0]!)));
  }

  /**
   * The files of a volume of a pod, by their paths in it.
   *
   * @throws {TestEnvironmentError} when the pod has no such volume, when it is of another sort, and when its claim is not bound
   */
  of(pod: CachedPod, name: string): Map<string, string> {
    const key = this.#keyOf(pod, name);
    const known = this.#files.get(key);
    if (known) return known;
    const files = new Map<string, string>();
    this.#files.set(key, files);
    return files;
  }

  #keyOf({ metadata, spec }: CachedPod, name: string): string {
    const volume = spec?.volumes?.find((each) => each.name === name);
    if (volume?.emptyDir) return `${metadata.uid}/${name}`;
    if (volume?.persistentVolumeClaim)
      return this.#boundTo(volume.persistentVolumeClaim.claimName, metadata.namespace);
    throw new TestEnvironmentError(
      `Volume ${name} of pod ${metadata.namespace}/${metadata.name} ${volume ? 'keeps no data' : 'does not exist'}`,
      'Use a volume with a PersistentVolumeClaim or an emptyDir.',
    );
  }

  /** @returns the UID of the PersistentVolume of a claim */
  #boundTo(name: string, namespace: string | undefined): string {
    const claim = this.#cache.get(PersistentVolumeClaim, { name, namespace });
    const volume = this.#cache.get(PersistentVolume, { name: claim?.spec?.volumeName ?? '' });
    if (volume) return volume.metadata.uid!;
    throw new TestEnvironmentError(
      `PersistentVolumeClaim ${namespace}/${name} is not bound`,
      'Let the scheduler place the pod: it waits for the volumes.',
    );
  }
}

function copyOf(
  volumes: Iterable<readonly [string, ReadonlyMap<string, string>]>,
): Map<string, Map<string, string>> {
  return new Map(Array.from(volumes, ([key, files]) => [key, new Map(files)]));
}
