import type { Context } from '../../context.ts';
import { upgradeBundle } from '../../olm/cluster/run-bundle.ts';
import { upgradeExtension } from '../../olm/cluster/v1/run-extension.ts';
import type { RunBundleOptions } from './run-bundle-options.ts';
import { withBundle } from './with-bundle.ts';

/** `ots run bundle-upgrade`: upgrades an operator that `ots run bundle` installed, and waits until the new version runs. */
export async function bundleUpgrade(options: RunBundleOptions, context: Context): Promise<void> {
  await withBundle('run bundle-upgrade', options, context, { v0: upgradeBundle, v1: upgradeExtension });
}
