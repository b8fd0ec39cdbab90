import { type Clock, systemClock } from 'ots-apimachinery/clock/clock';
import { sleep } from 'ots-apimachinery/clock/sleep';
import type { Duration } from 'ots-kubernetes';
import {
  CustomResourceDefinition,
  type CustomResourceDefinitionStatus,
} from 'ots-kubernetes/apiextensions/v1';
import type { Client } from '../client/client.ts';
import { currentWork, runInContext } from '../context/work-context.ts';
import { toMilliseconds } from '../duration/to-milliseconds.ts';
import { isConflict } from '../errors/api-error.ts';
import { conditionsWithStart, conditionsWithoutStart, recordedStart } from './migration-record.ts';
import { currentVersion } from './list-objects.ts';
import type { MigrationTools } from './migration-tools.ts';
import { Pace } from './pace.ts';
import { type RewriteProgress, rewriteAll } from './rewrite-all.ts';
import { type StorageState, changedAt, isSameSpec, storageStateOf } from './storage-state.ts';

const defaultPageSize = 500;
/** How often in a row the CRD may change between reading and writing it, and how long to wait then, in milliseconds. */
const maxConflicts = 10;
const conflictDelay = 1000;

/** How far the migration of a CRD is. */
export interface StorageMigrationProgress {
  /**
   * `settling` while it waits for all API servers to learn of the storage version, `rewriting` after each object that it
   * has dealt with.
   */
  readonly phase: 'settling' | 'rewriting';
  /** The name of the CRD. */
  readonly crd: string;
  /** The version in which objects are rewritten. */
  readonly storageVersion: string;
  /** The versions that will be dropped. */
  readonly oldVersions: readonly string[];
  /** How long it waits before it begins, in milliseconds; only while it settles. */
  readonly wait?: number;
  /** How many objects are done. */
  readonly done: number;
  /** How many objects could not be rewritten so far. */
  readonly failed: number;
  /** How many objects are left, if the server says it. */
  readonly remaining?: number;
}

/** The outcome of the migration of a CRD. */
export interface StorageMigrationResult {
  /** The name of the CRD. */
  readonly crd: string;
  /** The version in which all objects are stored now. */
  readonly storageVersion: string;
  /** The versions that were dropped from `status.storedVersions`; empty if there was nothing to do. */
  readonly droppedVersions: readonly string[];
  /** How many objects this call has rewritten. Others have written the rest, or an earlier call. */
  readonly rewritten: number;
}

/** How to migrate. */
export interface StorageMigrationOptions {
  /** How many objects to list at once; 500 by default. */
  pageSize?: number | undefined;
  /**
   * How long ago the CRD must have changed, by the clock of this machine, before objects are rewritten; `'1m'` by
   * default. Until an API server learns of a change, it stores objects in the old version, and one minute is the default
   * timeout of the requests that have begun by then.
   */
  settleTime?: Duration | number | undefined;
  /** Called when the migration makes progress. */
  onProgress?: ((progress: StorageMigrationProgress) => void) | undefined;
  /** Stops the migration when it aborts; by default the signal of the work that calls. */
  signal?: AbortSignal | undefined;
}

/** What a manager and tests add. */
export interface StorageMigrationInternals {
  /** The system's by default. */
  clock?: Clock | undefined;
  /** Whether more important work waits, for which the migration becomes slow; never by default. */
  isBusy?: (() => boolean) | undefined;
}

/**
 * Rewrites all objects of a CRD in its storage version, and then drops the other versions from its
 * `status.storedVersions`: only then can a version be removed from the CRD. Does nothing if no other version is stored.
 *
 * It sends one request at a time, slows down when the server responds 429 or 5xx, and may be stopped at any time: it
 * records in a condition of the CRD since when objects are stored in the new version, and the next call rewrites only
 * what is older. If the CRD changes meanwhile, it starts again. Unless a webhook converts the objects, it also moves
 * their field managers to the storage version, so server-side apply works on when the old version is gone.
 *
 * Requires `get` on the CRD, `patch` on its `status`, and `list`, `get` and `patch` on its objects.
 * @param client reads from the server: `manager.apiReader`, not `manager.client`.
 * @param crd the name of the CRD, such as `myapps.example.com`.
 * @throws {StorageMigrationError} if objects could not be rewritten, for example because a conversion webhook or the
 *   validation refuses them; the old versions stay then. {ApiError} `isNotFound` if the CRD does not exist, `isForbidden`
 *   if a right is missing; {ConnectionError} if the server does not respond; {UsageError} if `settleTime` is not a
 *   duration. The signal's reason when it aborts.
 */
export async function migrateStorage(
  client: Client,
  crd: string,
  options: StorageMigrationOptions = {},
  internals: StorageMigrationInternals = {},
): Promise<StorageMigrationResult> {
  const work = currentWork();
  const { clock = systemClock, isBusy = () => false } = internals;
  const { signal = work?.signal } = options;
  const pace = new Pace(clock, isBusy);
  const settleTime = toMilliseconds(options.settleTime ?? '1m');
  const migration = new Migration(crd, { ...options, settleTime }, { client, clock, pace, signal });
  const context = {
    signal,
    fence: work?.fence,
    // The transport repeats a request that the server refuses with 429: only here it is possible to see that.
    requested: () => ({ responded: (status: number) => pace.responded(status), ended: () => {} }),
  };
  return runInContext(context, () => migration.run());
}

/** One call of `migrateStorage`. */
class Migration {
  readonly #crd: string;
  readonly #options: StorageMigrationOptions & { settleTime: number };
  readonly #tools: MigrationTools;
  /** The spec that all API servers know. */
  #settled: StorageState | undefined;
  #rewritten = 0;
  /** How often in a row the CRD could not be written. */
  #conflicts = 0;

  constructor(crd: string, options: StorageMigrationOptions & { settleTime: number }, tools: MigrationTools) {
    this.#crd = crd;
    this.#options = options;
    this.#tools = tools;
  }

  async run(): Promise<StorageMigrationResult> {
    /** The spec in whose storage version all objects are stored. */
    let finished: StorageState | undefined;
    for (;;) {
      const state = await this.#read();
      const { oldVersions, storageVersion } = state;
      if (oldVersions.length === 0) return this.#result(state);
      const start = recordedStart(state);
      if (finished && isSameSpec(state, finished)) {
        const conditions = conditionsWithoutStart(state);
        if (await this.#write(state, { conditions, storedVersions: [storageVersion] }))
          return this.#result(state);
      } else if (start === undefined) {
        await this.#begin(state);
      } else if (await this.#rewrite(state, start)) {
        finished = state;
      }
    }
  }

  async #read(): Promise<StorageState> {
    const { client, signal } = this.#tools;
    return storageStateOf(await client.getOrThrow(CustomResourceDefinition, { name: this.#crd }, { signal }));
  }

  /** Waits until all API servers store objects in the storage version, then records when that was. */
  async #begin(state: StorageState): Promise<void> {
    const { clock, signal } = this.#tools;
    const wait = this.#settled && isSameSpec(state, this.#settled) ? 0 : this.#settling(state);
    if (wait > 0) {
      this.#tell(state, { phase: 'settling', wait, done: 0, failed: 0 });
      await sleep(clock, wait, signal);
      signal?.throwIfAborted();
      this.#settled = state;
      return;
    }
    const start = await currentVersion(this.#tools, state);
    const conditions = conditionsWithStart(state, start, new Date(clock.epoch()));
    await this.#write(state, { conditions });
  }

  /** How long to wait, in milliseconds. The clocks of client and server may differ: never longer than the whole time. */
  #settling(state: StorageState): number {
    const { settleTime } = this.#options;
    const { clock } = this.#tools;
    const changed = changedAt(state) ?? clock.epoch();
    return Math.min(settleTime, Math.max(0, changed + settleTime - clock.epoch()));
  }

  /** @returns whether all objects are stored in the storage version; false if the CRD has changed meanwhile. */
  async #rewrite(state: StorageState, start: string): Promise<boolean> {
    const { pageSize = defaultPageSize } = this.#options;
    const isCurrent = async (): Promise<boolean> => isSameSpec(state, await this.#read());
    const rewritten = (): void => void (this.#rewritten += 1);
    const tell = (counts: RewriteProgress): void => this.#tell(state, { phase: 'rewriting', ...counts });
    return rewriteAll(this.#tools, state, { start, pageSize, isCurrent, rewritten, tell });
  }

  /** Writes the status of the CRD. @returns false if the CRD has changed since it was read. */
  async #write(
    { definition }: StorageState,
    status: Pick<CustomResourceDefinitionStatus, 'conditions' | 'storedVersions'>,
  ): Promise<boolean> {
    const { client, clock, signal } = this.#tools;
    const { uid, resourceVersion } = definition.metadata;
    const patch = { metadata: { uid, resourceVersion }, status };
    try {
      await client.status.patch(CustomResourceDefinition, { name: this.#crd }, patch as never, { signal });
      this.#conflicts = 0;
      return true;
    } catch (error) {
      this.#conflicts += 1;
      if (!isConflict(error) || this.#conflicts > maxConflicts) throw error;
    }
    await sleep(clock, conflictDelay, signal);
    signal?.throwIfAborted();
    return false;
  }

  #tell(
    { storageVersion, oldVersions }: StorageState,
    progress: Omit<StorageMigrationProgress, 'crd' | 'storageVersion' | 'oldVersions'>,
  ): void {
    this.#options.onProgress?.({ crd: this.#crd, storageVersion, oldVersions, ...progress });
  }

  #result({ storageVersion, oldVersions }: StorageState): StorageMigrationResult {
    return {
      crd: this.#crd,
      storageVersion,
      droppedVersions: oldVersions,
      rewritten: this.#rewritten,
    };
  }
}
