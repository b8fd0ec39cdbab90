import type { CommonOptions } from '../common-options.ts';
import type { Context } from '../context.ts';
import { inProject } from './in-project.ts';

/** `ots manifests`: generates CRDs, roles and webhook configurations, as every command that changes sources does. */
export async function manifests(options: CommonOptions, context: Context): Promise<void> {
  await inProject('manifests', options, context, async () => ({ notes: [], nextSteps: [] }));
}
