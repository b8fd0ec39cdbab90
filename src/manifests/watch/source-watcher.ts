import fs from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { OtsError } from '../../errors/ots-error.ts';

interface WatchedDirectory {
  /** Distinguishes it from a later directory with the same name and perhaps the same inode. */
  readonly identity: string;
  readonly watcher: fs.FSWatcher;
}

/**
 * Reports changes to a project's sources. It watches every directory separately: Node 20's recursive watch
 * loses track of a file that an editor saves by renaming another file over it.
 */
export class SourceWatcher {
  readonly #root: string;
  readonly #directories: Readonly<Record<string, string>>;
  readonly #files: ReadonlySet<string>;
  /** By project-relative POSIX path; the root is the empty path. */
  readonly #watched = new Map<string, WatchedDirectory>();
  readonly #changed = new Set<string>();
  /** The number of events. It can exceed the number of paths, because one path can have several events. */
  #events = 0;
  #wake: () => void = () => {};

  /**
   * Creates a watcher without watching anything yet.
   * @param root absolute path of the project
   * @param directories the project directories to watch recursively, and the ending of the files that matter there, such as
   *   `{ src: '.ts' }`
   * @param files names of files at the root of the project to watch, too
   */
  constructor(root: string, directories: Readonly<Record<string, string>>, files: readonly string[]) {
    this.#root = root;
    this.#directories = directories;
    this.#files = new Set(files);
  }

  /**
   * Watches the current directories. Changes after this call are reported. Code that reads the files after
   * this call sees all earlier changes.
   *
   * @throws OtsError `WATCH_FAILED` if the system does not allow it
   */
  sync(): void {
    const present = new Set<string>();
    this.#watch('', present);
    for (const directory of Object.keys(this.#directories)) this.#watchTree(directory, present);
    for (const [path, { watcher }] of this.#watched) {
      if (present.has(path)) continue;
      watcher.close();
      this.#watched.delete(path);
    }
  }

  /**
   * Waits for changes, and then until no more arrive for a while: saving one file often causes several
   * changes, and a file that is being written is empty at first.
   *
   * @param quietMs how long to wait without changes, in milliseconds
   * @returns what changed since the last call, sorted, by project-relative POSIX path
   */
  async next(quietMs: number): Promise<string[]> {
    while (this.#changed.size === 0) await new Promise<void>((resolve) => (this.#wake = resolve));
    for (let seen = 0; seen !== this.#events;) {
      seen = this.#events;
      await setTimeout(quietMs);
    }
    const changed = [...this.#changed].toSorted();
    this.#changed.clear();
    return changed;
  }

  /** Stops watching. */
  close(): void {
    for (const { watcher } of this.#watched.values()) watcher.close();
    this.#watched.clear();
  }

  #watchTree(path: string, present: Set<string>): void {
    if (!this.#watch(path, present)) return;
    for (const entry of this.#entries(path)) {
      if (entry.isDirectory()) this.#watchTree(`${path}/${entry.name}`, present);
    }
  }

  #entries(path: string): fs.Dirent[] {
    try {
      return fs.readdirSync(join(this.#root, path), { withFileTypes: true });
    } catch {
      return []; // It was removed after it was found, which is a separate change.
    }
  }

  /** @returns whether the directory exists */
  #watch(path: string, present: Set<string>): boolean {
    const identity = this.#identityOf(path);
    if (identity === undefined) return false;
    present.add(path);
    const known = this.#watched.get(path);
    if (known?.identity === identity) return true;
    known?.watcher.close();
    const watcher = this.#open(path);
    if (watcher) this.#watched.set(path, { identity, watcher });
    return true;
  }

  #identityOf(path: string): string | undefined {
    const stats = fs.lstatSync(join(this.#root, path), { bigint: true, throwIfNoEntry: false });
    return stats?.isDirectory() ? `${stats.ino} ${stats.birthtimeNs}` : undefined;
  }

  #open(path: string): fs.FSWatcher | undefined {
    try {
      const watcher = fs.watch(join(this.#root, path), (_, name) => this.#noted(path, name));
      // The directory was removed. Its parent directory reports that.
      return watcher.on('error', () => watcher.close());
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw new OtsError(
        'WATCH_FAILED',
        `${path || 'The project'} cannot be watched: ${(cause as Error).message}`,
        {
          hint: 'Raise the limits of the system (on Linux fs.inotify.max_user_watches and max_user_instances).',
          cause,
        },
      );
    }
  }

  #noted(directory: string, name: string | null): void {
    const path = directory === '' ? (name ?? '') : `${directory}/${name ?? ''}`;
    if (!this.#matters(directory, path)) return;
    this.#changed.add(path);
    this.#events++;
    this.#wake();
  }

  #matters(directory: string, path: string): boolean {
    if (directory === '') return Object.hasOwn(this.#directories, path) || this.#files.has(path);
    const ending = this.#directories[path.split('/')[0]!];
    return (
      (ending !== undefined && path.endsWith(ending)) ||
      this.#watched.has(path) ||
      this.#identityOf(path) !== undefined
    );
  }
}
