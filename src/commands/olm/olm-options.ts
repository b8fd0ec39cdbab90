import { type Release, releases } from '../../olm/cluster/installation/release.ts';
import type { ManifestSource } from '../../olm/cluster/installation/read-manifests.ts';
import type { ClusterOptions } from '../shared/cluster-options.ts';

/** The flags of the commands of `ots olm`. */
export interface OlmOptions extends ClusterOptions, ManifestSource {
  v1?: boolean;
}

/** The OLM that the flags choose. */
export function releaseOf({ v1 }: OlmOptions): Release {
  return releases[v1 ? 'v1' : 'v0'];
}
