import type { Clock } from 'ots-apimachinery/clock/clock';
import { sleep } from 'ots-apimachinery/clock/sleep';
import type { Client } from '../client/client.ts';
import { isNotFound } from '../errors/api-error.ts';
import { unlessRepeated } from '../errors/error-message.ts';
import type { Logger } from '../logging/logger.ts';
import type { Runnable } from '../manager/runnable.ts';
import {
  type StorageMigrationOptions,
  type StorageMigrationProgress,
  migrateStorage,
} from './migrate-storage.ts';
import type { StorageMigrationMetrics } from './storage-migration-metrics.ts';

export interface StorageMigratorConfig {
  /** The names of the CRDs. */
  crds: readonly string[];
  /** Reads from the server. */
  client: Client;
  clock: Clock;
  /** Whether controllers have requests that wait. */
  isBusy: () => boolean;
  logger: Logger;
  metrics: StorageMigrationMetrics | undefined;
  settleTime: StorageMigrationOptions['settleTime'];
}

/** In milliseconds. A CRD that changes under a running operator does not need its migration at once. */
const pollInterval = 600_000;
const firstBackoff = 60_000;
const logInterval = 30_000;

/** Migrates the storage of CRDs, now and whenever their storage version changes. Failures are logged and retried. */
export class StorageMigrator implements Runnable {
  readonly name = 'storage-migration';
  readonly #config: StorageMigratorConfig;
  /** By CRD: how often its migration failed in a row, and how the last time. */
  readonly #failures = new Map<string, { count: number; error: unknown }>();

  constructor(config: StorageMigratorConfig) {
    this.#config = config;
  }

  async start(signal: AbortSignal): Promise<void> {
    const { crds, clock, metrics } = this.#config;
    for (const crd of crds) metrics?.show(crd);
    while (!signal.aborted) {
      // One after the other, because they can wait.
      for (const crd of crds) if (!signal.aborted) await this.#migrate(crd, signal);
      await sleep(clock, this.#delay(), signal);
    }
  }

  async #migrate(crd: string, signal: AbortSignal): Promise<void> {
    const { client, clock, isBusy, logger, metrics, settleTime } = this.#config;
    const onProgress = this.#follow(crd);
    try {
      const options = { settleTime, onProgress, signal };
      const { droppedVersions, storageVersion, rewritten } = await migrateStorage(client, crd, options, {
        clock,
        isBusy,
      });
      metrics?.progress(crd, 0, 0);
      this.#failures.delete(crd);
      if (droppedVersions.length > 0)
        logger.info({ crd, storageVersion, droppedVersions, rewritten }, 'storage migration ended');
    } catch (error) {
      if (!signal.aborted) this.#failed(crd, error);
    }
  }

  #failed(crd: string, error: unknown): void {
    const { logger, metrics } = this.#config;
    const before = this.#failures.get(crd);
    // Without the CRD there is nothing to migrate; it may be installed later.
    if (isNotFound(error)) {
      this.#failures.delete(crd);
      logger.debug({ crd }, 'no storage to migrate: the CRD is not installed');
      return;
    }
    this.#failures.set(crd, { count: (before?.count ?? 0) + 1, error });
    metrics?.failed(crd);
    logger.warn({ crd, err: unlessRepeated(error, before?.error) }, 'storage migration failed; retrying');
  }

  /** Logs the progress now and then, and shows it in the metrics. */
  #follow(crd: string): (progress: StorageMigrationProgress) => void {
    const { clock, logger, metrics } = this.#config;
    let next = Number.NEGATIVE_INFINITY;
    return ({ phase, oldVersions, storageVersion, wait, done, failed, remaining }) => {
      metrics?.progress(crd, oldVersions.length, remaining);
      if (phase === 'settling') {
        logger.info({ crd, storageVersion, oldVersions, milliseconds: wait }, 'storage migration waits');
        return;
      }
      if (clock.now() < next) return;
      next = clock.now() + logInterval;
      logger.info({ crd, storageVersion, oldVersions, done, failed, remaining }, 'storage migration runs');
    };
  }

  #delay(): number {
    const counts = [...this.#failures.values()].map(({ count }) => count);
    return Math.min(pollInterval, ...counts.map((count) => firstBackoff * 2 ** (count - 1)));
  }
}
