import { join, resolve } from 'node:path';
import { internalError } from '../../status/errors.ts';
import { StatusError } from '../../status/status-error.ts';
import type { Change } from '../change-log.ts';
import type { Snapshot } from '../snapshot.ts';
import { writeCheckpoint } from './checkpoint.ts';
import { DataError } from './data-error.ts';
import { DirectoryLock } from './directory-lock.ts';
import { type Disk, machineDisk, writeAll } from './disk.ts';
import { lineOfDeletion, lineOfRecord } from './entry.ts';
import { fileName, isOwnFile, isReplaced, revisionsOf } from './file-names.ts';
import { LogFile } from './log-file.ts';
import { type Recovered, recover } from './recover.ts';

/** How long changes wait to be written to the disk together, in milliseconds. */
const syncDelayMs = 20;

/** How long a checkpoint that failed is not tried again, in milliseconds. */
const retryMs = 1000;

/** A new checkpoint is due when the log is as large as the last one, and has at least so many bytes. */
const minLogBytes = 8 * 1024 * 1024;

/** More revisions than a loss of power can lose. */
const lostRevisions = 1_000_000;

/** Options of {@link DataDirectory.open}. */
export interface DataDirectoryOptions {
  /** Receives what the user should know: one sentence without a period. */
  readonly warn: (message: string) => void;
  /** Default: that of the machine. */
  readonly disk?: Disk;
  /** The size of a log from which a new checkpoint is due, unless the last one was larger. Default 8 MiB. */
  readonly minLogBytes?: number;
}

/**
 * The files that keep a cluster over the end of its process: `checkpoint-N` has all objects at revision N, `log-N` the changes
 * after it, and `*.pem` the keys of the server. A change is in the log before it happens. So the end of the process, at any time,
 * loses nothing; a loss of power may lose the changes of the last moments, for which nothing waits.
 */
export class DataDirectory {
  /** What the directory contained. Undefined if it was empty. */
  readonly recovered: Snapshot | undefined;
  readonly #path: string;
  readonly #lock: DirectoryLock;
  readonly #disk: Disk;
  readonly #warn: (message: string) => void;
  readonly #minLogBytes: number;
  #isClosed = false;
  #checkpoint: { readonly revision: number; readonly bytes: number } | undefined;
  #log: LogFile | undefined;
  /** The state that the last change belongs to. */
  #current: { snapshot(): Snapshot } | undefined;
  #syncTimer: NodeJS.Timeout | undefined;
  #syncing: Promise<void> | undefined;
  #checkpointing: Promise<void> | undefined;
  #retryTimer: NodeJS.Timeout | undefined;
  /** Why the log cannot be trusted any more: only a checkpoint helps. */
  #failure: unknown;

  private constructor(
    path: string,
    lock: DirectoryLock,
    recovered: Recovered | undefined,
    { warn, disk = machineDisk, minLogBytes: minimum = minLogBytes }: DataDirectoryOptions,
  ) {
    this.#path = path;
    this.#lock = lock;
    this.#disk = disk;
    this.#warn = warn;
    this.#minLogBytes = minimum;
    this.#checkpoint = recovered && { revision: recovered.checkpoint, bytes: 0 };
    const state = recovered?.state;
    // Clients may have seen revisions that a loss of power has lost. No other state may get them.
    const lost = lock.wasAbandoned ? lostRevisions : 0;
    this.recovered = state && { ...state, revision: state.revision + lost };
  }

  /**
   * Opens a directory, which is created if it does not exist. {@link begin} must follow.
   *
   * @throws {DataError} when another server uses it, when it is damaged, and when it cannot be used
   */
  static async open(path: string, options: DataDirectoryOptions): Promise<DataDirectory> {
    const { disk = machineDisk, warn } = options;
    const directory = resolve(path);
    let lock: DirectoryLock | undefined;
    try {
      disk.makeDirectory(directory);
      const names = disk.list(directory);
      const foreign = names.find((name) => !isOwnFile(name));
      if (foreign !== undefined && revisionsOf('checkpoint', names).length === 0)
        throw notOwn(directory, foreign);
      lock = await DirectoryLock.take(directory);
      const recovered = recover(disk, directory);
      if (recovered?.torn) {
        const { path: file, at } = recovered.torn;
        warn(`${file} ends at byte ${at} within a change that was not acknowledged; the change is dropped`);
      }
      return new DataDirectory(directory, lock, recovered, options);
    } catch (error) {
      lock?.release();
      throw unusable(directory, error);
    }
  }

  /**
   * Stores all objects. The changes that follow are changes of this state.
   *
   * @param snapshot no older than what the directory contains
   * @throws {DataError} `DATA_DIRECTORY`; then changes of the state before can follow
   */
  async begin(snapshot: Snapshot): Promise<void> {
    await this.#checkpointing;
    try {
      const log = this.#createLog(snapshot);
      await this.#store(snapshot).catch((error: unknown) => {
        log.close();
        throw error;
      });
      this.#use(log);
    } catch (error) {
      throw unusable(this.#path, error);
    }
  }

  /**
   * Stores a change, which must not happen when this fails.
   *
   * @param current the state before the change
   * @throws {StatusError} 500 when the change cannot be stored; 503 after {@link close}
   */
  append(table: string, { type, record }: Change, current: { snapshot(): Snapshot }): void {
    const log = this.#log;
    if (!log || this.#isClosed)
      throw new StatusError(503, 'ServiceUnavailable', 'the server is shutting down');
    this.#current = current;
    const limit = Math.max(this.#minLogBytes, this.#checkpoint?.bytes ?? 0);
    if (this.#failure !== undefined || log.length > limit) this.#startCheckpoint();
    if (this.#failure !== undefined) throw notStored(this.#failure);
    try {
      log.append(type === 'DELETED' ? lineOfDeletion(table, record) : lineOfRecord(table, record));
    } catch (error) {
      throw notStored(error);
    }
    this.#syncTimer ??= setTimeout(() => void this.#sync(), syncDelayMs).unref();
  }

  /** Keeps a text in a file that only the owner can read. See {@link Keep}. */
  keep(name: string, create: () => string, isCurrent: (text: string) => boolean): string {
    const path = join(this.#path, `${name}.pem`);
    try {
      if (this.#disk.list(this.#path).includes(`${name}.pem`)) {
        const text = this.#disk.read(path).toString('utf8');
        if (isIntact(path, text, isCurrent)) return text;
      }
      const text = create();
      this.#writeText(path, text);
      return text;
    } catch (error) {
      throw unusable(this.#path, error);
    }
  }

  /** Stores what is left, and lets other servers use the directory. No change can be stored afterward. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#syncTimer);
    clearTimeout(this.#retryTimer);
    await Promise.all([this.#checkpointing, this.#syncing]);
    try {
      this.#log?.finish();
    } catch (error) {
      this.#warn(`The last changes may not be on the disk: ${reasonOf(error)}`);
    }
    this.#log?.close();
    this.#log = undefined;
    this.#lock.release();
  }

  /** Writes a checkpoint while changes continue, or are refused because the log failed. */
  #startCheckpoint(): void {
    if (this.#checkpointing || this.#retryTimer) return;
    this.#checkpointing = this.#renew()
      .catch((error: unknown) => {
        this.#warn(`The checkpoint of ${this.#path} cannot be written: ${reasonOf(error)}`);
        this.#retryTimer = setTimeout(() => (this.#retryTimer = undefined), retryMs).unref();
      })
      .finally(() => (this.#checkpointing = undefined));
  }

  async #renew(): Promise<void> {
    const failure = this.#failure;
    if (failure === undefined) {
      try {
        // The log must be on the disk before another one follows, or a loss of power leaves a gap. Most of it without waiting.
        await this.#log?.sync();
        this.#log?.finish();
      } catch (error) {
        this.#failure = error;
        throw error;
      }
    }
    const snapshot = this.#current?.snapshot();
    if (!snapshot || this.#isClosed) return;
    this.#use(this.#createLog(snapshot));
    await this.#store(snapshot);
    if (this.#failure === failure) this.#failure = undefined;
  }

  #createLog({ revision }: Snapshot): LogFile {
    return new LogFile(this.#disk, join(this.#path, fileName('log', revision)));
  }

  #use(log: LogFile): void {
    const old = this.#log;
    this.#log = log;
    void Promise.resolve(this.#syncing)
      .then(() => old?.close())
      .catch((error: unknown) =>
        this.#warn(`The old log in ${this.#path} cannot be closed: ${reasonOf(error)}`),
      );
  }

  /** Writes a checkpoint, unless it exists, and removes what it replaces. */
  async #store(snapshot: Snapshot): Promise<void> {
    const { revision } = snapshot;
    if (this.#checkpoint?.revision !== revision) {
      await this.#disk.syncDirectory(this.#path);
      this.#checkpoint = { revision, bytes: await writeCheckpoint(this.#disk, this.#path, snapshot) };
    }
    try {
      for (const name of this.#disk.list(this.#path))
        if (isReplaced(name, revision)) this.#disk.remove(join(this.#path, name));
    } catch (error) {
      this.#warn(`Old files in ${this.#path} cannot be removed: ${reasonOf(error)}`);
    }
  }

  /** Writes the changes since the last time to the disk. */
  async #sync(): Promise<void> {
    const log = this.#log;
    this.#syncing = log?.sync().catch((error: unknown) => {
      if (log !== this.#log) return;
      this.#failure = error;
      this.#warn(`Changes cannot be written to ${this.#path}: ${reasonOf(error)}`);
    });
    await this.#syncing;
    const isDirty = this.#log?.isDirty === true && this.#failure === undefined && !this.#isClosed;
    this.#syncTimer = isDirty ? setTimeout(() => void this.#sync(), syncDelayMs).unref() : undefined;
  }

  #writeText(path: string, text: string): void {
    const temporary = `${path}.tmp`;
    const file = this.#disk.create(temporary);
    try {
      writeAll(this.#disk, file, Buffer.from(text), 0);
      this.#disk.syncNow(file);
    } finally {
      this.#disk.close(file);
    }
    this.#disk.rename(temporary, path);
  }
}

function notStored(error: unknown): StatusError {
  return internalError(`the change cannot be stored: ${reasonOf(error)}`);
}

function isIntact(path: string, text: string, isCurrent: (text: string) => boolean): boolean {
  try {
    return isCurrent(text);
  } catch (error) {
    const hint = 'Restore it from a copy, or remove it: what it signed is then not valid any more.';
    throw new DataError('DATA_DAMAGED', `${path} is damaged: ${reasonOf(error)}`, hint, error);
  }
}

function unusable(directory: string, error: unknown): DataError {
  if (error instanceof DataError) return error;
  return new DataError(
    'DATA_DIRECTORY',
    `${directory} cannot keep the data: ${reasonOf(error)}`,
    'Correct that, or choose another directory.',
    error,
  );
}

function notOwn(directory: string, name: string): DataError {
  return new DataError(
    'DATA_DIRECTORY',
    `${directory} has files of other programs, such as ${name}`,
    'Choose another directory, or a new one.',
  );
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
