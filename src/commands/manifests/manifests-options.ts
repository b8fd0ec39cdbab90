import type { CommonOptions } from '../../common-options.ts';

/** The flags of `ots manifests`. Flags that choose a mode exclude each other, as declared. */
export interface ManifestsOptions extends CommonOptions {
  check?: boolean;
  stdout?: boolean;
  watch?: boolean;
  /** The git revision to compare the CRDs with. */
  compat?: string;
  /** The record of requests to compare the @rbac tags with. */
  rbacFrom?: string;
  /** Directory of the API reference. */
  docs?: string;
}
