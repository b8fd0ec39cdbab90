import path from 'node:path';
import type { ContainerSpec } from '../container-run.ts';
import type { VolumeFiles } from './volumes.ts';

/** The files that a container sees. */
export class MountedFiles {
  readonly #container: ContainerSpec;
  readonly #atStart: ReadonlyMap<string, VolumeFiles>;
  readonly #contents = new Map<string, string>();

  /** @param volumes by name */
  constructor(container: ContainerSpec, volumes: ReadonlyMap<string, VolumeFiles>) {
    this.#container = container;
    this.#atStart = volumes;
    this.refresh(volumes);
  }

  /** Their current contents by absolute path. */
  get contents(): ReadonlyMap<string, string> {
    return this.#contents;
  }

  /**
   * Shows the contents that the volumes have now. A mount with a subPath keeps those that it had at the start of the container
   * (https://kubernetes.io/docs/concepts/configuration/configmap/#mounted-configmaps-are-updated-automatically).
   */
  refresh(volumes: ReadonlyMap<string, VolumeFiles>): void {
    this.#contents.clear();
    for (const { name, mountPath, subPath = '' } of this.#container.volumeMounts ?? []) {
      const files = (subPath === '' ? volumes : this.#atStart).get(name) ?? [];
      for (const [file, content] of files) {
        const inside = path.posix.relative(subPath, file);
        if (!inside.startsWith('..')) this.#contents.set(path.posix.join(mountPath, inside), content);
      }
    }
  }
}
