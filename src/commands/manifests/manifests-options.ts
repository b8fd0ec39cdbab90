import type { CommonOptions } from '../../common-options.ts';

/** The flags of `ots manifests`; those that name a mode exclude each other, which the program sees to. */
export interface ManifestsOptions extends CommonOptions {
  check?: boolean;
  stdout?: boolean;
  watch?: boolean;
  /** The git revision that the definitions are compared with. */
  compat?: string;
  /** Where the API reference goes. */
  docs?: string;
}
