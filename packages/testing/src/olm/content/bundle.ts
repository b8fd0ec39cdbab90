import path from 'node:path';
import type { KubernetesObject } from 'ots-kubernetes';
import type { ClusterServiceVersion } from '../v0/kinds.ts';
import { ContentError, documentsIn, isObject } from './documents.ts';

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
 * @throws {ContentError} when one lacks what every object has, or not exactly one of them is a ClusterServiceVersion with an installation
 */
export function bundleOf(all: readonly KubernetesObject[]): Bundle {
  for (const object of all) check(object);
  const versions = all.filter(isVersion);
  const [csv] = versions;
  if (!csv || versions.length > 1)
    throw new ContentError(`the bundle has ${versions.length} ClusterServiceVersions`);
  // The types promise what a file may lack.
  const { spec } = csv as { spec?: { install?: unknown } };
  if (!isObject(spec) || !isObject(spec.install))
    throw new ContentError(`ClusterServiceVersion "${csv.metadata.name}" has no spec.install`);
  return { csv, objects: all.filter((object) => !isVersion(object)) };
}

function check({ apiVersion, kind, metadata }: Partial<KubernetesObject>): void {
  const isNamed = isObject(metadata) && typeof metadata['name'] === 'string';
  if (typeof apiVersion === 'string' && typeof kind === 'string' && isNamed) return;
  throw new ContentError(`an object of kind "${String(kind)}" lacks its apiVersion, kind or name`);
}

function isVersion(object: KubernetesObject): object is ClusterServiceVersion {
  return object.kind === 'ClusterServiceVersion';
}
