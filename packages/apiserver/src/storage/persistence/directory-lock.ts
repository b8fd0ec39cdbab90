import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { type Server, createConnection, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataError } from './data-error.ts';

const lockName = /^lock-[\da-f]{8}$/;

/** Longer paths of sockets are cut off: 104 bytes on macOS, 108 on Linux. */
const maxPathBytes = 100;

/**
 * The right to use a directory. It is a socket that its process listens on: the operating system knows whether that process lives,
 * also where process IDs mean something else, such as in containers.
 */
export class DirectoryLock {
  /** Whether a server ended without releasing its lock. */
  readonly wasAbandoned: boolean;
  readonly #path: string;
  readonly #server: Server;

  private constructor(path: string, server: Server, wasAbandoned: boolean) {
    this.#path = path;
    this.#server = server;
    this.wasAbandoned = wasAbandoned;
  }

  /**
   * Takes the lock. Every process first adds its own and then looks for others, so of two at the same time at most one gets it.
   *
   * @throws {DataError} `DATA_IN_USE` when another server has it
   */
  static async take(directory: string): Promise<DirectoryLock> {
    const name = `lock-${randomUUID().slice(0, 8)}`;
    const server = await listen(directory, name);
    const own = new DirectoryLock(join(directory, name), server, false);
    try {
      return await own.#exclude(directory, name);
    } catch (error) {
      own.release();
      throw error;
    }
  }

  release(): void {
    this.#server.close();
    rmSync(this.#path, { force: true });
  }

  async #exclude(directory: string, name: string): Promise<DirectoryLock> {
    const others = readdirSync(directory).filter((other) => lockName.test(other) && other !== name);
    for (const other of others) {
      if (await isHeld(directory, other)) throw inUse(directory);
      rmSync(join(directory, other), { force: true });
    }
    // Another process may have seen the socket before this one listened, and removed it.
    if (!existsSync(this.#path)) throw inUse(directory);
    return new DirectoryLock(this.#path, this.#server, others.length > 0);
  }
}

async function listen(directory: string, name: string): Promise<Server> {
  const server = createServer((socket) => socket.destroy());
  await withShortPath(directory, name, (path) => {
    server.listen(path);
    return once(server, 'listening');
  });
  return server.unref();
}

/** Whether a process listens. If that cannot be known, it counts as one. */
async function isHeld(directory: string, name: string): Promise<boolean> {
  return withShortPath(directory, name, async (path) => {
    const socket = createConnection(path);
    try {
      await once(socket, 'connect');
      return true;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      return code !== 'ECONNREFUSED' && code !== 'ENOENT';
    } finally {
      socket.destroy();
    }
  });
}

/** Calls with the path of a file in a directory, through a link in the temporary directory if it is too long for a socket. */
async function withShortPath<T>(
  directory: string,
  name: string,
  act: (path: string) => Promise<T>,
): Promise<T> {
  const path = join(directory, name);
  if (Buffer.byteLength(path) <= maxPathBytes) return act(path);
  const temporary = mkdtempSync(join(tmpdir(), 'ots-'));
  try {
    const link = join(temporary, 'd');
    symlinkSync(directory, link);
    return await act(join(link, name));
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

function inUse(directory: string): DataError {
  return new DataError(
    'DATA_IN_USE',
    `Another server uses ${directory}`,
    'Stop it, or choose another directory.',
  );
}
