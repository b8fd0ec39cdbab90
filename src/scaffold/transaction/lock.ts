import { hostname } from 'node:os';
import { join } from 'node:path';
import { OtsError } from '../../errors/ots-error.ts';
import type { FileSystem } from '../file-system.ts';
import {
  workDirectory,
  ensureDirectory,
  removeFlatDirectory,
  removeIfEmpty,
  workPath,
} from './work-directory.ts';

interface Owner {
  readonly pid: number;
  readonly host: string;
  /** Unique, also among processes with the same number on other hosts. */
  readonly token: string;
}

/** How long a command waits for another one on the same project, and how often it checks. */
const maxWaitMs = 30_000;
const pollMs = 20;
const ownerFile = 'owner.json';

/**
 * The lock of a project: the directory `.ots/lock`, which names its owner. Taking the lock renames a complete directory
 * into place, so the lock never exists without an owner, and renaming onto a directory that is not empty fails on every
 * system.
 */
export class Lock {
  readonly #fs: FileSystem;
  readonly #root: string;
  readonly #owner: Owner;

  private constructor(fs: FileSystem, root: string, owner: Owner) {
    this.#fs = fs;
    this.#root = root;
    this.#owner = owner;
  }

  /**
   * Takes the lock. Waits while another ots owns it, and takes it over from a process that died.
   *
   * @throws OtsError `PROJECT_LOCKED` if the other one is still working after 30 s
   */
  static async acquire(fs: FileSystem, root: string, options: { waitMs?: number } = {}): Promise<Lock> {
    const token = `${process.pid}-${process.hrtime.bigint()}`;
    const lock = new Lock(fs, root, { pid: process.pid, host: hostname(), token });
    const deadline = elapsed() + (options.waitMs ?? maxWaitMs);
    while (!lock.#tryAcquire()) {
      if (elapsed() > deadline) throw lock.#lockedBy(readOwner(fs, workPath(root, 'lock')));
      await new Promise((resolve) => setTimeout(resolve, pollMs));
    }
    lock.#removeStrays();
    return lock;
  }

  /** Whether this process still owns the lock: a user may have removed it. */
  get held(): boolean {
    return readOwner(this.#fs, workPath(this.#root, 'lock'))?.token === this.#owner.token;
  }

  /** Releases the lock, and removes the work directory if it is empty. */
  release(): void {
    const released = workPath(this.#root, `stale-${this.#owner.token}`);
    try {
      if (!this.held) return;
      this.#fs.rename(workPath(this.#root, 'lock'), released);
      removeFlatDirectory(this.#fs, released);
      removeIfEmpty(this.#fs, workPath(this.#root));
    } catch {
      // The work is done. The next command removes leftovers as those of a dead process.
    }
  }

  #tryAcquire(): boolean {
    const lock = workPath(this.#root, 'lock');
    const current = readOwner(this.#fs, lock);
    if (current && isAlive(current)) return false;
    if (this.#fs.kind(lock)) this.#removeStale(lock, current);
    const candidate = workPath(this.#root, `candidate-${this.#owner.token}`);
    try {
      ensureDirectory(this.#fs, workPath(this.#root));
      ensureDirectory(this.#fs, candidate);
      this.#fs.write(join(candidate, ownerFile), Buffer.from(JSON.stringify(this.#owner)), 0o644);
      this.#fs.rename(candidate, lock);
      return true;
    } catch (error) {
      removeFlatDirectory(this.#fs, candidate);
      if (!this.#lostTheRace(error)) throw error;
      return false;
    }
  }

  /** Moves a dead owner's lock aside. Exactly one process succeeds in renaming it, and can check what it took. */
  #removeStale(lock: string, expected: Owner | undefined): void {
    const aside = workPath(this.#root, `stale-${this.#owner.token}`);
    try {
      this.#fs.rename(lock, aside);
      if (readOwner(this.#fs, aside)?.token === expected?.token) removeFlatDirectory(this.#fs, aside);
      else this.#fs.rename(aside, lock); // Another process already owns the lock: restore it.
    } catch (error) {
      if (!this.#lostTheRace(error)) throw error;
    }
  }

  /** Whether another process renamed, removed or created the same directory first. */
  #lostTheRace(error: unknown): boolean {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOTEMPTY' || code === 'EEXIST' || code === 'ENOENT') return true;
    // Windows reports this if the target of a rename exists.
    return code === 'EPERM' && this.#fs.kind(workPath(this.#root, 'lock')) !== undefined;
  }

  /** Leftovers of dead processes beside the lock. */
  #removeStrays(): void {
    for (const name of this.#fs.list(workPath(this.#root))) {
      if (!name.startsWith('candidate-') && !name.startsWith('stale-')) continue;
      const path = workPath(this.#root, name);
      const owner = readOwner(this.#fs, path);
      if (!owner || !isAlive(owner)) removeFlatDirectory(this.#fs, path);
    }
  }

  #lockedBy(owner: Owner | undefined): OtsError {
    const who = owner ? `process ${owner.pid} on ${owner.host}` : 'another process';
    return new OtsError('PROJECT_LOCKED', `The project is locked by ${who}`, {
      hint: `Wait until it is done. If ots is not running there, remove ${workDirectory}/lock and run the command again.`,
    });
  }
}

function readOwner(fs: FileSystem, directory: string): Owner | undefined {
  const content = fs.read(join(directory, ownerFile));
  if (!content) return undefined;
  try {
    return JSON.parse(content.toString('utf8')) as Owner;
  } catch {
    return undefined; // A process was killed while writing: the lock has no owner.
  }
}

/** The state of a process on another host is unknown, so it counts as alive. */
function isAlive(owner: Owner): boolean {
  if (owner.host !== hostname()) return true;
  try {
    process.kill(owner.pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Milliseconds of a clock that never jumps, like `performance.now()`, whose module takes a while to load. */
function elapsed(): number {
  return process.uptime() * 1000;
}
