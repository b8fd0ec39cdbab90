import fs from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { OtsError } from '../../errors/ots-error.ts';

interface WatchedDirectory {
  /** Tells it from another directory that has its name later, and perhaps its inode. */
  readonly identity: string;
  readonly watcher: fs.FSWatcher;
}

/**
 * Tells when the sources of a project change. Every directory is watched by itself: what Node 20 offers for whole trees
 * loses sight of a file once an editor has saved it by renaming another one over it.
 */
export class SourceWatcher {
  readonly #root: string;
  readonly #directory: string;
  readonly #files: ReadonlySet<string>;
  /** By project-relative POSIX path; the root is the empty one. */
  readonly #watched = new Map<string, WatchedDirectory>();
  readonly #changed = new Set<string>();
  /** How many there were; more than there are paths, as one is often told of several times. */
  #events = 0;
  #wake: () => void = () => {};

  /**
   * @param root absolute path of the project
   * @param directory the directory of the project whose TypeScript files matter, with all below it
   * @param files names of files at the root of the project that matter, too
   */
  constructor(root: string, directory: string, files: readonly string[]) {
    this.#root = root;
    this.#directory = directory;
    this.#files = new Set(files);
  }

  /**
   * Watches the current directories. A change after this is reported, and one before it is visible to code that
   * reads the files after this.
   *
   * @throws OtsError `watch-failed` when the system does not let it
   */
  sync(): void {
    const present = new Set<string>();
    this.#watch('', present);
    this.#watchTree(this.#directory, present);
    for (const [path, { watcher }] of this.#watched) {
      if (present.has(path)) continue;
      watcher.close();
      this.#watched.delete(path);
    }
  }

  /**
   * Waits for changes, and then until there are no more for a moment: saving one file is often several changes, and a
   * file that is being written is empty at first.
   *
   * @param quietMs how long that moment is
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

  /** Ends watching. */
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
      return []; // Gone since it was found; that is a change of its own.
    }
  }

  /** @returns whether there is such a directory */
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
      // A directory that is removed; the one above it reports that.
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
    if (directory === '') return path === this.#directory || this.#files.has(path);
    return path.endsWith('.ts') || this.#watched.has(path) || this.#identityOf(path) !== undefined;
  }
}
