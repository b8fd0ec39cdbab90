import type { Duration, Kind } from 'ots-kubernetes';
import { toMilliseconds } from '../duration/to-milliseconds.ts';
import { UsageError } from '../errors/usage-error.ts';
import type { Manager } from '../manager/manager.ts';
import { StorageMigrationMetrics } from './storage-migration-metrics.ts';
import { StorageMigrator } from './storage-migrator.ts';

/** Whose storage a manager migrates. */
export interface AddStorageMigrationOptions {
  /** The custom kinds, in any version. */
  kinds: readonly Kind[];
  /** As for `migrateStorage`; `'1m'` by default. */
  settleTime?: Duration | number | undefined;
}

/**
 * Migrates the storage of kinds when the storage version of their CRDs has changed, as `migrateStorage` does: at the start
 * and every ten minutes, on the leader only, one CRD after the other. While controllers have requests that wait, it
 * rewrites one object per second. It logs failures and retries them after one minute, then two, up to ten; they never stop
 * the manager. `addStorageMigration(manager, { kinds: [MyApp] })`, once per manager.
 *
 * Requires the rights of `migrateStorage`:
 * `@rbac groups=apiextensions.k8s.io resources=customresourcedefinitions resourceNames=myapps.example.com verbs=get`,
 * `@rbac groups=apiextensions.k8s.io resources=customresourcedefinitions/status resourceNames=myapps.example.com verbs=patch`,
 * and `get`, `list` and `patch` on the kinds.
 * @throws {UsageError} if a kind is of the core group, `settleTime` is not a duration, or the manager is stopping.
 */
export function addStorageMigration(
  manager: Manager,
  { kinds, settleTime = '1m' }: AddStorageMigrationOptions,
): void {
  const { apiReader, clock, logger, metrics } = manager;
  manager.add(
    new StorageMigrator({
      crds: [...new Set(kinds.map(definitionOf))],
      client: apiReader,
      clock,
      isBusy: () => manager.isBusy,
      logger,
      metrics: metrics && new StorageMigrationMetrics(metrics),
      settleTime: toMilliseconds(settleTime),
    }),
  );
}

/** The name of the CRD of a kind. */
function definitionOf({ group, kind, plural }: Kind): string {
  if (group !== '') return `${plural}.${group}`;
  throw new UsageError(`${kind} has no CRD`, 'Name custom kinds: those of your own CRDs.');
}
