import type { Context } from '../../context.ts';
import type { ManifestsOptions } from './manifests-options.ts';
import { writeManifests } from './write-manifests.ts';

/** `ots manifests`: generates CRDs, roles and webhook configurations, as does every command that changes sources. */
export async function manifests(options: ManifestsOptions, context: Context): Promise<void> {
  const run = await modeOf(options);
  await run(options, context);
}

async function modeOf(
  options: ManifestsOptions,
): Promise<(options: ManifestsOptions, context: Context) => Promise<void>> {
  if (options.check) return (await import('./check-manifests.ts')).checkManifests;
  if (options.stdout) return (await import('./print-manifests.ts')).printManifests;
  if (options.compat !== undefined) return (await import('./compare-manifests.ts')).compareManifests;
  if (options.rbacFrom !== undefined) return (await import('./propose-rbac.ts')).proposeRbac;
  if (options.watch) return (await import('./watch-manifests.ts')).watchManifests;
  return writeManifests;
}
