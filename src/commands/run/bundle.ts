import type { Context } from '../../context.ts';
import { runBundle } from '../../olm/cluster/run-bundle.ts';
import { runExtension } from '../../olm/cluster/v1/run-extension.ts';
import type { RunBundleOptions } from './run-bundle-options.ts';
import { withBundle } from './with-bundle.ts';

/** `ots run bundle`: installs a bundle with OLM, and waits until the operator runs. */
export async function bundle(options: RunBundleOptions, context: Context): Promise<void> {
  await withBundle('run bundle', options, context, { v0: runBundle, v1: runExtension });
}
