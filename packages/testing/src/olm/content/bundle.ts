import path from 'node:path';
import type { KubernetesObject } from 'ots-kubernetes';
import type { ClusterServiceVersion } from '../v0/kinds.ts';
import { ContentError, documentsIn } from './documents.ts';

/** The objects of a bundle. */
export interface Bundle {
  readonly csv: ClusterServiceVersion;
  /** Without the ClusterServiceVersion. */
  readonly objects: readonly KubernetesObject[];
}

/**
 * Reads the manifests of a bundle directory.
 *
 * @throws {ContentError} when a file cannot be read, or not exactly one of the objects is a ClusterServiceVersion
 */
export function readBundle(directory: string): Bundle {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the server refuses what is not an object of its kind
  return bundleOf(documentsIn(path.join(directory, 'manifests')) as unknown as KubernetesObject[]);
}

/**
 * Makes a bundle of its objects.
 *
 * @throws {ContentError} when not exactly one of them is a ClusterServiceVersion
 */
export function bundleOf(all: readonly KubernetesObject[]): Bundle {
  const versions = all.filter(isVersion);
  const [csv] = versions;
  if (!csv || versions.length > 1)
    throw new ContentError(`the bundle has ${versions.length} ClusterServiceVersions`);
  return { csv, objects: all.filter((object) => !isVersion(object)) };
}

function isVersion(object: KubernetesObject): object is ClusterServiceVersion {
  return object.kind === 'ClusterServiceVersion';
}
