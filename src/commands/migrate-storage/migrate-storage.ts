import {
  type StorageMigrationProgress,
  type StorageMigrationResult,
  StorageMigrationError,
  migrateStorage,
} from 'ots-runtime';
import { CustomResourceDefinition } from 'ots-kubernetes/apiextensions/v1';
import type { Context } from '../../context.ts';
import type { Cluster } from '../../deploy/cluster.ts';
import { countObjects } from '../../deploy/count-objects.ts';
import { OtsError } from '../../errors/ots-error.ts';
import { oneLine } from '../../output/one-line.ts';
import type { ClusterOptions } from '../shared/cluster-options.ts';
import type { ObjectsReport } from '../shared/objects-report.ts';
import { withCluster } from '../shared/with-cluster.ts';
import { findDefinitions, namesOf } from './choose-definitions.ts';

/** The flags of `ots migrate-storage`. */
export interface MigrateStorageOptions extends ClusterOptions {
  /** Names or kinds of CRDs. */
  crd?: readonly string[];
  all?: boolean;
}

/** How often to say how far it is, in milliseconds. */
const reportInterval = 5000;

/**
 * `ots migrate-storage`: rewrites all objects of CRDs in their storage version, and drops the other versions from the status of the
 * CRDs. A CRD that fails does not stop the others.
 *
 * @param settleTime for tests: how long ago a CRD must have changed, in milliseconds; default: that of `migrateStorage`
 * @throws UsageError and OtsError of the choice of CRDs; OtsError `STORAGE_MIGRATION` if objects could not be rewritten
 */
export async function migrateStorages(
  options: MigrateStorageOptions,
  context: Context,
  settleTime?: number,
): Promise<void> {
  const names = namesOf(options, context);
  await withCluster('migrate-storage', options, context, async ({ cluster, report }) => {
    report.interruption = 'run the command again, which continues where it stopped.';
    const crds = await findDefinitions(cluster, names);
    if (crds.length === 0)
      report.line('Nothing to do: all CRDs of the cluster store only their storage version.');
    if (options.dryRun) return { migrations: await planned(cluster, crds, report) };
    const migrations: StorageMigrationResult[] = [];
    const failures: StorageMigrationError[] = [];
    for (const crd of crds) {
      try {
        migrations.push(await migrated(cluster, crd, report, context, settleTime));
      } catch (error) {
        if (!(error instanceof StorageMigrationError)) throw error;
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failed(failures, migrations);
    return { migrations };
  });
}

async function migrated(
  { client, signal }: Cluster,
  crd: string,
  report: ObjectsReport,
  context: Context,
  settleTime: number | undefined,
): Promise<StorageMigrationResult> {
  const onProgress = reporterOf(report, context);
  const result = await migrateStorage(client, crd, { onProgress, signal, settleTime });
  const { droppedVersions, storageVersion, rewritten } = result;
  report.line(
    droppedVersions.length === 0
      ? nothingToDo(crd, storageVersion)
      : `${crd}: ${objects(rewritten)} rewritten in ${storageVersion}, ${droppedVersions.join(', ')} dropped`,
  );
  return result;
}

function reporterOf(report: ObjectsReport, { now }: Context): (progress: StorageMigrationProgress) => void {
  let next = now().getTime() + reportInterval;
  return ({ phase, crd, storageVersion, wait = 0, done, remaining }) => {
    if (phase === 'settling') {
      const seconds = Math.ceil(wait / 1000);
      report.waiting(`every API server to store ${crd} in ${storageVersion}, for ${seconds} s`);
      return;
    }
    if (now().getTime() < next) return;
    next = now().getTime() + reportInterval;
    report.line(
      `${crd}: ${remaining === undefined ? objects(done) : `${done} of ${objects(done + remaining)}`}`,
    );
  };
}

/** What a migration would do. */
interface PlannedMigration {
  readonly crd: string;
  readonly storageVersion: string;
  readonly oldVersions: readonly string[];
  /** How many objects there are; null if the server does not say. */
  readonly objects: number | null;
}

async function planned(
  cluster: Cluster,
  crds: readonly string[],
  report: ObjectsReport,
): Promise<PlannedMigration[]> {
  const plan: PlannedMigration[] = [];
  for (const crd of crds) {
    const definition = await cluster.client.getOrThrow(
      CustomResourceDefinition,
      { name: crd },
      { signal: cluster.signal },
    );
    const storageVersion = definition.spec.versions.find(({ storage }) => storage)?.name ?? '';
    const oldVersions = (definition.status?.storedVersions ?? []).filter((name) => name !== storageVersion);
    const [count] = oldVersions.length === 0 ? [] : await countObjects(cluster, [definition as never]);
    const total = count ? (count.count ?? null) : 0;
    plan.push({ crd, storageVersion, oldVersions, objects: total });
    report.line(
      oldVersions.length === 0
        ? nothingToDo(crd, storageVersion)
        : `${crd}: ${total === null ? 'an unknown number of objects' : objects(total)} to rewrite in ${storageVersion}, ` +
            `${oldVersions.join(', ')} to drop (dry run)`,
    );
  }
  return plan;
}

function nothingToDo(crd: string, storageVersion: string): string {
  return `${crd}: nothing to do, only ${storageVersion} is stored`;
}

function objects(count: number): string {
  return count === 1 ? '1 object' : `${count} objects`;
}

function failed(
  failures: readonly StorageMigrationError[],
  migrations: readonly StorageMigrationResult[],
): OtsError {
  const [first] = failures;
  return new OtsError('STORAGE_MIGRATION', oneLine(failures.map(({ message }) => message).join('; ')), {
    hint: oneLine(first?.hint ?? ''),
    cause: first,
    details: { migrations, failures: failures.flatMap((failure) => failure.failures) },
  });
}
