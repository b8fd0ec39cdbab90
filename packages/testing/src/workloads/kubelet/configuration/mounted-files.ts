import path from 'node:path';
import type { ContainerSpec } from '../container-run.ts';
import { ConfigurationError } from './configuration-error.ts';
import { expand } from './expand.ts';
import type { VolumeFiles } from './volumes.ts';

type VolumeMount = NonNullable<ContainerSpec['volumeMounts']>[number];

/** The files that a container sees. */
export class MountedFiles {
  readonly #mounts: readonly (readonly [mount: VolumeMount, subPath: string])[];
  /** What the volumes had at the start of the container. */
  readonly atStart: ReadonlyMap<string, VolumeFiles>;
  readonly #contents = new Map<string, string>();

  /**
   * @param volumes by name
   * @throws {ConfigurationError} when a subPathExpr does not lead into its volume
   */
  constructor(
    { volumeMounts = [] }: ContainerSpec,
    volumes: ReadonlyMap<string, VolumeFiles>,
    environment: ReadonlyMap<string, string>,
  ) {
    this.#mounts = volumeMounts.map((mount) => [mount, subPathOf(mount, environment)]);
    this.atStart = volumes;
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
    for (const [{ name, mountPath }, subPath] of this.#mounts) {
      const files = (subPath === '' ? volumes : this.atStart).get(name) ?? [];
      for (const [file, content] of files) {
        const inside = path.posix.relative(subPath, file);
        if (!inside.startsWith('..')) this.#contents.set(path.posix.join(mountPath, inside), content);
      }
    }
  }
}

/** @see https://kubernetes.io/docs/concepts/storage/volumes/#using-subpath-expanded-environment */
function subPathOf(
  { subPath = '', subPathExpr }: VolumeMount,
  environment: ReadonlyMap<string, string>,
): string {
  if (!subPathExpr) return subPath;
  const missing = new Set<string>();
  const expanded = expand(subPathExpr, environment, (name) => missing.add(name));
  if (missing.size > 0)
    throw new ConfigurationError(`missing value for ${[...missing].toSorted().join(', ')}`);
  if (path.posix.isAbsolute(expanded))
    throw new ConfigurationError(`error SubPath \`${expanded}\` must not be an absolute path`);
  if (expanded.split('/').includes('..'))
    throw new ConfigurationError(`unable to provision SubPath \`${expanded}\`: must not contain '..'`);
  return expanded;
}
