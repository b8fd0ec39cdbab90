import type { ClusterOptions } from '../shared/cluster-options.ts';

/** The flags of `ots run bundle` and `ots run bundle-upgrade`. */
export interface RunBundleOptions extends ClusterOptions {
  bundle?: string;
  installMode?: string;
  catalogServer?: string;
  pullSecret?: string;
  keep?: boolean;
  v1?: boolean;
  catalogImage?: string;
  serviceAccount?: string;
}
